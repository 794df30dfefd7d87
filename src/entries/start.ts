import { startAutomation } from '../actions/start.ts'
import { connectOverHttp } from '../actions/connect.ts'
import { readStartInputs } from '../runner/inputs/read.ts'
import { performStep } from '../runner/step.ts'

export const performStart = () =>
  performStep({
    read: readStartInputs,
    act: (inputs, step) => startAutomation(inputs, step, connectOverHttp),
  })

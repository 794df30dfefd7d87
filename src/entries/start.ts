import { startAutomation } from '../actions/start.ts'
import { connectOverHttp } from '../actions/connect.ts'
import { performStep } from '../runner/step.ts'
import { reportAt } from '../version.ts'

void performStep((step) => startAutomation(step, connectOverHttp), reportAt)

import { createProject } from '../actions/create-project.ts'
import { connectOverHttp } from '../actions/connect.ts'
import { createProjectInputs } from '../runner/inputs/read.ts'
import { performStep } from '../runner/step.ts'

export const performCreateProject = () =>
  performStep({
    inputs: createProjectInputs,
    act: (inputs, step) => createProject(inputs, step, connectOverHttp),
  })

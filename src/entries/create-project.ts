import { createProject } from '../actions/create-project.ts'
import { connectOverHttp } from '../actions/connect.ts'
import { readCreateProjectInputs } from '../runner/inputs/read.ts'
import { performStep } from '../runner/step.ts'

export const performCreateProject = () =>
  performStep({
    read: readCreateProjectInputs,
    act: (inputs, step) => createProject(inputs, step, connectOverHttp),
  })

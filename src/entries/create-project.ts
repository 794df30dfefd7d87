import { createProject } from '../actions/create-project.ts'
import { connectOverHttp } from '../actions/connect.ts'
import { performStep } from '../runner/step.ts'
import { reportAt } from '../version.ts'

void performStep((step) => createProject(step, connectOverHttp), reportAt)

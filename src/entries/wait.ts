import { waitForExecution } from '../actions/wait.ts'
import { connectOverHttp } from '../actions/connect.ts'
import { performStep } from '../runner/step.ts'
import { reportAt } from '../version.ts'

void performStep((step) => waitForExecution(step, connectOverHttp), reportAt)

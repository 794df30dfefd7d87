import { runAutomation } from '../actions/run.ts'
import { connectOverHttp } from '../actions/connect.ts'
import { performStep } from '../runner/step.ts'
import { reportAt } from '../version.ts'

void performStep((step) => runAutomation(step, connectOverHttp), reportAt)

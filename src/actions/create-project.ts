/** `uses: owner/run-automation/create-project`: creates a project, at most once. */
import { Deadline } from '../clock.ts'
import { readCreateProjectInputs } from '../runner/inputs/read.ts'
import { passed, type Step, type Verdict } from '../runner/step.ts'
import { projectNamePattern } from '../service/contract.ts'
import { longestSend } from '../service/send-at-most-once.ts'
import { messageOutput } from '../messages/message-output.ts'
import { introduce, type Connect } from './connect.ts'
import { alreadyExists, deliverProject, notCreated, unknownCreation } from './creating.ts'

export async function createProject(step: Step, connect: Connect): Promise<Verdict> {
  const inputs = await readCreateProjectInputs(projectNamePattern, step.environment)
  const { connection, project, ifExists } = inputs
  introduce(connection, step)
  const { service } = connect('create-project', connection)
  using deadline = new Deadline(step.clock, longestSend, step.cancelled)

  const creation = await deliverProject(project, service, deadline, step)
  switch (creation.kind) {
    case 'created':
      step.outputs.set('created', 'true')
      step.outputs.set('message', messageOutput(creation.message, step))
      step.log.verdict(`Project ${project.name} was created`, true)
      return passed
    case 'existing':
      step.outputs.set('created', 'false')
      step.outputs.set('message', messageOutput(creation.failure.words, step))
      if (ifExists === 'fail') throw alreadyExists(project, creation.failure, step)
      step.log.verdict(`Project ${project.name} exists already (if-exists: skip)`, true)
      return passed
    case 'refused':
      step.outputs.set('created', 'false')
      throw notCreated(project, creation.failure, step)
    case 'unknown':
      throw unknownCreation(project, creation.failure, step)
  }
}

/** Stand-ins for services that the examples use and act does not have. */
import { openGithubApi, type GithubApi } from '../../../sandbox/runner/github-api.ts'
import { each } from './act.ts'
import { openChat, type Chat } from './chat.ts'
import { repository } from './checkout.ts'
import { openReceiver, secret } from './receiver.ts'
import { openStandIns, type StandIns } from './stand-ins.ts'

export interface GithubSide extends StandIns {
  /** GitHub's API for commit statuses and dispatches. */
  api: GithubApi
  chat: Chat
  /** The arguments for act. */
  args: string[]
  credentials: string[]
}

export async function openGithubSide(): Promise<GithubSide> {
  await using cleanup = new AsyncDisposableStack()
  const standIns = cleanup.use(await openStandIns())
  const api = cleanup.use(await openGithubApi())
  const receiver = cleanup.use(await openReceiver(api, repository))
  const chat = cleanup.use(await openChat())
  const secrets = {
    RECEIVER_SECRET: secret,
    GITHUB_TOKEN: api.token,
    CHAT_WEBHOOK_URL: chat.url,
  }
  const kept = cleanup.move()
  return {
    ...standIns,
    api,
    chat,
    args: [
      ...each('--env', { GITHUB_API_URL: api.url, ...standIns.env }),
      ...each('--var', { WEBHOOK_RECEIVER_URL: receiver.url }),
      ...each('--secret', secrets),
      ...each('--local-repository', standIns.actions),
    ],
    credentials: Object.values(secrets),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

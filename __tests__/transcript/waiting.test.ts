/** Tests that the log of a long wait shows that the step is alive, without a line per check. */
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from '@jest/globals'
import { describeProgress } from '../../src/messages/progress.ts'
import { executionUrls } from '../../src/messages/execution-url.ts'
import { RunLog } from '../../src/actions/run-log.ts'
import { Deadline } from '../../src/clock.ts'
import { followRun, noRetries } from '../../src/execution/follow-run.ts'
import { nothingSeen } from '../../src/execution/seen.ts'
import { usualLastCheckTime } from '../../src/execution/watch.ts'
// This module is loaded here, because simulated time does not wait for imports.
import '../../src/download/collect.ts'
import { Heartbeat } from '../../src/runner/heartbeat.ts'
import { createLog } from '../../src/runner/log.ts'
import { Secrets } from '../../src/messages/text/secrets.ts'
import { AutomationService } from '../../src/service/client.ts'
import type { Transport } from '../../src/service/transport.ts'
import { SimulatedClock } from '../../sandbox/simulation/simulated-clock.ts'
import { Transcript } from './support/transcript.ts'

const second = 1_000
const minute = 60 * second
const credentials = { apiToken: 't', apiKey: 'k', authorizationScheme: 'token' as const }
const address = { baseUrl: 'https://service.example', statusBaseUrl: 'https://service.example' }

interface Course {
  /** When the run ends, in milliseconds from the beginning of the wait. */
  endsAt: number
  /** The period in which the service answers only with a status. Default status: 502. */
  trouble?: { from: number; to: number; status?: number }
}

const asText = (lines: string[]) => new Transcript(lines.join('\n'))

/** Returns the log lines of a wait of at most an hour, each with the second when it was written. */
async function waitThrough({ endsAt, trouble }: Course): Promise<string[]> {
  const clock = new SimulatedClock()
  const lines: string[] = []
  const add = (given: string | Error) => {
    const text = stripVTControlCharacters(String(given))
    const seconds = String(Math.round(clock.elapsed / second)).padStart(5)
    lines.push(...text.split('\n').map((line) => (line ? `${seconds}  ${line}` : '')))
  }
  const debug = (text: string) => add(`debug: ${text}`)
  const levels = { info: add, notice: add, warning: add, error: add, debug }
  const console = { ...levels, startGroup: add, endGroup: () => undefined }
  const secrets = new Secrets(() => undefined)
  const log = createLog(console, secrets, true)
  const transport: Pick<Transport, 'send'> = {
    send: () => {
      const now = clock.elapsed
      const isTroubled = trouble && now >= trouble.from && now < trouble.to
      const flags = { error: false, stopped: false, container_error: false }
      const links = { result_url: null, logs_url: null }
      const record = { exec_uuid: 'e1', finished: now >= endsAt, ...flags, ...links }
      const status = isTroubled ? (trouble.status ?? 502) : 200
      const body = isTroubled ? '' : JSON.stringify(record)
      return Promise.resolve({ status, headers: {}, body, receivedAt: clock.now() })
    },
  }
  const service = new AutomationService(transport, { ...address, ...credentials })
  const cancelled = new AbortController().signal
  using deadline = new Deadline(clock, 60 * minute, cancelled)
  const heartbeat = new Heartbeat(log, clock, cancelled)
  const runLog = new RunLog(executionUrls(undefined), { log, clock, heartbeat })
  const unused = () => Promise.reject(new Error('there is nothing to start and nothing to fetch'))
  const takenOver = {
    executionId: 'e1',
    seen: nothingSeen,
    since: { at: clock.now(), on: clock.date() },
  }
  const waiting = { pollInterval: 5 * second, deadline, lastCheckTime: usualLastCheckTime }
  await followRun(
    { takenOver, target: undefined, retrying: noRetries, ...waiting },
    {
      sendStart: unused,
      sendCheck: (executionId, signal) => service.executionStatus(executionId, signal),
      clock,
      cancelled,
      random: () => 0,
      store: { open: unused },
      makeFolder: () => Promise.resolve('unused'),
      removeFolder: () => Promise.resolve(),
      readCause: () => Promise.resolve(undefined),
      validate: undefined,
    },
    (event) => runLog.write(event),
  )
  return lines
}

describe('the log of a wait', () => {
  it('of seconds has no heartbeat', async () => {
    expect(asText(await waitThrough({ endsAt: 5 * second }))).toMatchSnapshot()
  })

  it('of minutes has the first heartbeat after ten seconds, and then fewer and fewer', async () => {
    expect(asText(await waitThrough({ endsAt: 5 * minute }))).toMatchSnapshot()
  })

  it('of an hour has a heartbeat at most every 30 s, and at least every minute', async () => {
    const lines = await waitThrough({ endsAt: 59 * minute })
    const moments = lines.filter((line) => line.includes('still running')).map(parseFloat)
    const pauses = moments.slice(1).map((moment, at) => moment - (moments[at] ?? NaN))
    expect(moments.at(-1)).toBeGreaterThan(58 * 60)
    expect(Math.min(...pauses)).toBe(30)
    expect(Math.max(...pauses)).toBe(60)
  })

  it.each([
    ['the service does not know the run yet', { from: 0, to: 28 * second, status: 404 }],
    ['the service has not answered yet', { from: 0, to: 50 * second, status: 500 }],
    ['the time of the last answer', { from: 20 * second, to: 50 * second }],
  ])('says only what is known: %s', async (_, trouble) => {
    const lines = await waitThrough({ endsAt: 90 * second, trouble })
    expect(asText(lines.filter((line) => / after .* checks?(?:,|$)/.test(line)))).toMatchSnapshot()
  })

  it('names the next check only if it is more than 10 s away', () => {
    const line = (untilNext: number) =>
      describeProgress({ ...nothingSeen, checks: 2 }, 60_000, untilNext)
    const soon = 'no proper answer from the service yet after 1 min, 2 checks'
    expect([-1, 200, 10_000, 35_000].map(line)).toEqual([soon, soon, soon, `${soon}, next in 35 s`])
  })

  it('has a line for the first failed check, and debug lines for the others', async () => {
    const trouble = { from: 20 * second, to: 3 * minute }
    const lines = await waitThrough({ endsAt: 5 * minute, trouble })
    expect(asText(lines.filter((line) => line.includes('A check got')))).toMatchSnapshot()
  })
})

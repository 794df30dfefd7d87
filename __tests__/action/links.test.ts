import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { FaultInput } from '../../sandbox/service/faults.ts'
import { openSandbox, type Sandbox } from '../../sandbox/service/sandbox.ts'
import { waitAction } from '../../src/version.ts'
import { finished } from '../support/execution-status.ts'
import { answering, serve } from '../support/http-server.ts'
import { json, serveRemotely } from '../support/remote-service.ts'
import { makeAutomations, printing, returning, type Automations } from './support/automations.ts'
import { annotationsOf, filesBelow, requestsOf, theError } from './support/facts.ts'
import { finishRun } from './support/finished-run.ts'
import { runPastTimeout } from './support/past-timeout.ts'
import { runAction } from './support/run-action.ts'
import { until } from './support/until.ts'

// The file is large enough to be cut in the middle. Every line is different.
const rows = Buffer.from(Array.from({ length: 2_000 }, (_, row) => `row ${String(row)}\n`).join(''))
const automation = 'rows'
// Reads a file as text: jest compares buffers byte by byte, which takes longer than the step.
const text = (file = '') => readFile(file, 'latin1')
let automations: Automations

beforeAll(async () => {
  automations = await makeAutomations({ rows: printing(rows) + returning('text/csv', rows) })
})
afterAll(async () => automations[Symbol.asyncDispose]())

const openStore = () => openSandbox({ automations: automations.folder })

describe('a link that breaks is replaced, and the files are complete', () => {
  const faults: [string, Omit<FaultInput, 'on'>][] = [
    ['expired', { fault: 'expired' }],
    ['reset', { fault: 'reset-before-answer' }],
    ['cut half-way', { fault: 'cut-after' }],
    ['cut in chunks', { fault: 'half-chunked' }],
    ['too short for its length', { fault: 'wrong-length' }],
  ]

  it.each(faults)('%s', async (_, fault) => {
    await using sandbox = await openStore()
    sandbox.faults.inject({ on: 'link-result', ...fault })
    sandbox.faults.inject({ on: 'link-log', ...fault })
    await using step = await runAction({ sandbox, automation })
    expect([step.exitCode, step.annotations]).toEqual([0, []])
    expect(await text(step.outputs['result-file'])).toBe(rows.toString('latin1'))
    expect(await text(step.outputs['log-file'])).toBe(rows.toString('latin1'))
    expect(requestsOf(sandbox, 'link').length).toBeGreaterThanOrEqual(4)
    expect(requestsOf(sandbox, 'status').length).toBeGreaterThan(1)
  })

  it('and the log has a line for each try', async () => {
    await using sandbox = await openStore()
    sandbox.faults.inject({ on: 'link-result', fault: 'cut-after' })
    sandbox.faults.inject({ on: 'link-log', fault: 'status', status: 503 })
    await using step = await runAction({ sandbox, automation })
    expect(step.stdout).toMatch(/^The result was not downloaded \(.+\); trying again in 0\.5 s$/m)
    expect(step.stdout).toMatch(/^The log was not downloaded \(the store answered 503\); trying/m)
  })
})

describe('the bytes of a file', () => {
  it('may come from another host, which sees no credentials', async () => {
    await using elsewhere = await serve(
      answering(200, 'from elsewhere', { 'content-type': 'text/plain' }),
    )
    await using sandbox = await openStore()
    const location = `${elsewhere.url}/blob`
    sandbox.faults.inject({ on: 'link-result', fault: 'redirect', location })
    await using step = await runAction({ sandbox, automation })
    expect(step.outputs['result']).toBe('from elsewhere')
    expect(elsewhere.seen).toHaveLength(1)
    expect(Object.keys(elsewhere.seen[0]?.headers ?? {}).sort()).toEqual([
      'accept-encoding',
      'connection',
      'host',
      'user-agent',
    ])
  })

  it('may not come from this machine if the service is elsewhere', async () => {
    await using elsewhere = await serve(answering(200, 'what else listens here'))
    const result_url = `${elsewhere.url}/x?sig=1234567890abcdef`
    await using remote = await serveRemotely(() => json({ ...finished, result_url }))
    const inputs = { 'execution-id': 'e-1' }
    await using step = await runAction({ ...remote, action: 'wait', inputs })
    expect(step.exitCode).toBe(1)
    expect(theError(step).message).toContain('leads to this machine')
    expect(elsewhere.seen).toEqual([])
  })
})

describe('a file that cannot be fetched', () => {
  const gone = { fault: 'status', status: 404, times: 'always' } as const

  // Lets the time run out after the step has tried a second link for a file.
  async function fetchFrom(sandbox: Sandbox) {
    const id = await finishRun(sandbox, automation)
    const inputs = { 'execution-id': id }
    const trying = () => until(() => requestsOf(sandbox, 'link').length > 2)
    return { id, step: await runPastTimeout({ sandbox, action: 'wait', inputs }, trying) }
  }

  it('if it is the result of a success, the step fails and says how to fetch it again', async () => {
    await using sandbox = await openStore()
    sandbox.faults.inject({ on: 'link-result', ...gone, status: 403 })
    const { id, step: ended } = await fetchFrom(sandbox)
    await using step = ended
    const { title, message } = theError(step)
    expect([step.exitCode, step.outputs['conclusion']]).toEqual([1, 'success'])
    expect(title).toBe(`Execution ${id} succeeded, but its result is missing`)
    expect(message).toContain('the store answered 403')
    expect(message).toContain(
      `Fetch the run with ${waitAction} and execution-id ${id}. Do not start it again.`,
    )
    const parts = Object.keys(await filesBelow(step.temp)).filter((file) => file.endsWith('.part'))
    expect(parts).toEqual([])
  })

  it.each([404, 410])('if the store no longer has the result (%d), it says so', async (status) => {
    await using sandbox = await openStore()
    sandbox.faults.inject({ on: 'link-result', ...gone, status })
    const { step: ended } = await fetchFrom(sandbox)
    await using step = ended
    expect([step.exitCode, theError(step).message]).toEqual([
      1,
      expect.stringContaining(
        'The store no longer has this result, and another try finds nothing. If you need it, start a new run.',
      ),
    ])
    expect(theError(step).message).not.toMatch(/etch the run with|re-run/)
  })

  it('if it is the log, the step warns', async () => {
    await using sandbox = await openStore()
    sandbox.faults.inject({ on: 'link-log', ...gone })
    const { step: ended } = await fetchFrom(sandbox)
    await using step = ended
    expect([step.exitCode, step.outputs['conclusion']]).toEqual([0, 'success'])
    expect(annotationsOf(step, 'warning')).toMatchObject([
      { message: expect.stringContaining('The log could not be fetched: ') },
    ])
    expect(step.outputs).toMatchObject({ log: '', 'log-file': '', result: rows.toString() })
  })
})

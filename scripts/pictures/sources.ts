/** Runs the steps that the pictures show against the sandbox. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { createContext, runInContext } from 'node:vm'
import { z } from 'zod'
import { root } from '../docs/action-files.ts'
import { runStep } from '../../sandbox/runner/runner.ts'
import { openCacheService } from '../../sandbox/runner/cache-service.ts'
import { openSandbox } from '../../sandbox/service/sandbox.ts'

/** The file with the hashes of the transcripts. A test compares them to find outdated pictures. */
export const hashFile = path.join(root, 'docs', 'pictures.json')

interface Source {
  /** The part of the step that each picture shows, by the name of the picture. */
  pictures: Record<string, 'log' | 'summary'>
  job: string
  action: string
  inputs: Record<string, string>
  /** The transcript that has the same words: its file and its test. */
  transcript: readonly [file: string, test: string]
}

const cities = ['Bern', 'Rome', 'Xanadu', 'Oslo', 'Lima', 'Cairo'].map((city, index) => ({
  city,
  down: city === 'Xanadu' ? 1 : 0,
  seconds: [6, 9, 4, 8, 12, 7][index],
}))

const sources: readonly Source[] = [
  {
    pictures: { 'log-success': 'log', 'summary-success': 'summary' },
    job: 'report',
    action: '.',
    inputs: { automation: 'daily_report', seed: '{ "region": "north", "days": 7 }' },
    transcript: ['finished', 'a run that succeeds with rows'],
  },
  {
    pictures: { 'summary-failure': 'summary' },
    job: 'report',
    action: '.',
    inputs: { automation: 'daily_report', seed: '{ "region": "south", "days": 7 }' },
    transcript: ['finished', 'a run that fails with a traceback'],
  },
  {
    pictures: { 'summary-batch': 'summary' },
    job: 'cities',
    action: 'batch',
    inputs: {
      automation: 'city-report',
      seeds: JSON.stringify(cities),
      label: 'city',
      'max-parallel': '3',
      'poll-interval': '1s',
    },
    transcript: ['batch', 'a batch that ends with some runs failed'],
  },
]

/** The first picture of the README is cropped, so that the setup is on the first screens. */
const maxHeights = new Map([['summary-success', 470]])

export interface Picture {
  name: string
  part: 'log' | 'summary'
  title: string
  text: string
  /** In CSS pixels. Undefined if the whole text is shown. */
  maxHeight: number | undefined
}

/** Runs the steps one after the other. The pictures show the real times of the runs. */
export async function* runPictures(): AsyncGenerator<Picture> {
  await using sandbox = await openSandbox()
  // With a cache, a step describes its re-run with the same words as on GitHub.
  await using cacheService = await openCacheService()
  const { baseUrl, apiToken, apiKey } = sandbox
  const connection = { 'base-url': baseUrl, 'api-token': apiToken, 'api-key': apiKey }
  for (const { pictures, job, action, inputs } of sources) {
    const given = { ...connection, project: 'sales', ...inputs }
    await using step = await runStep({ action, inputs: given, cacheService })
    for (const [name, part] of Object.entries(pictures)) {
      const text = stripVTControlCharacters(step[part])
        .replaceAll(baseUrl, 'https://automations.example.com')
        .replaceAll(step.temp, '/home/runner/work/_temp')
      const title = `${job} ${part}`
      yield { name, part, title, text: text.trim(), maxHeight: maxHeights.get(name) }
    }
  }
}

/** Returns the hash of each picture's transcript, by the name of the picture. */
export async function readHashes(): Promise<Record<string, string>> {
  const hashes: Record<string, string> = {}
  for (const { pictures, transcript } of sources) {
    const [file, test] = transcript
    const text = (await readSnapshots(file)).get(test) ?? ''
    for (const [name, part] of Object.entries(pictures)) {
      const title = part === 'log' ? "The step's log" : 'Job summary'
      const [, after = ''] = text.split(new RegExp(`^════ ${title}.*\n`, 'm'))
      const shown = after.split(/^════/m)[0]?.trim() ?? ''
      hashes[name] = createHash('sha256').update(shown).digest('hex')
    }
  }
  return hashes
}

/** Returns the snapshots of a file by test. A snapshot file is a program that fills `exports`. */
async function readSnapshots(name: string): Promise<Map<string, string>> {
  const file = `__tests__/transcript/__snapshots__/${name}.test.ts.snap`
  const exports: Record<string, unknown> = {}
  runInContext(await readFile(path.join(root, file), 'utf8'), createContext({ exports }))
  const texts = Object.entries(exports)
  return new Map(
    texts.map(([test, text]) => [test.replace(/^.*: | 1$/g, ''), z.string().parse(text)]),
  )
}

import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { ControlFailure } from '@lectern/control-client'
import { pino } from 'pino'
import { afterAll, expect, it } from 'vitest'
import { OrphanedJobs, type OrphanedJobsParts } from './orphaned-jobs.ts'

const root = mkdtempSync(join(tmpdir(), 'lectern-leftovers-'))
afterAll(() => rmSync(root, { recursive: true }))

const DAY_MS = 86_400_000
const NOW = Date.now()
const FILM = join('tracks', '0001-1.rtp')

type State = Awaited<ReturnType<OrphanedJobsParts['stateOf']>>

/** Folders of jobs, last written to some days ago, in a folder of their own. */
function open(folders: Record<string, { file?: string; days?: number }>) {
  const folder = mkdtempSync(join(root, 'jobs-'))
  const age = (name: string, days: number) => {
    const at = new Date(NOW - days * DAY_MS)
    for (const each of [...readdirSync(join(folder, name), { recursive: true }).map(String), ''])
      utimesSync(join(folder, name, each), at, at)
  }
  for (const [name, { file = 'recording.json', days = 0 }] of Object.entries(folders)) {
    const path = join(folder, name, file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, 'x')
    age(name, days)
  }
  const states: Record<string, State> = {}
  const asked: string[] = []
  const working = new Set<string>()
  const lines: { level: number; job_id?: string; state?: State }[] = []
  const drain = new AbortController()
  let failure: unknown = null
  const leftovers = new OrphanedJobs({
    folder,
    stateOf: async jobId => {
      asked.push(jobId)
      if (failure) throw failure
      return states[jobId] ?? 'unknown'
    },
    isActive: jobId => working.has(jobId),
    hasCapturedMedia: async each => existsSync(join(each, FILM)),
    clock: () => NOW,
    drain: drain.signal,
    log: pino({ level: 'info' }, { write: line => void lines.push(JSON.parse(line)) }),
  })
  return {
    ...{ leftovers, folder, states, asked, working, lines, drain, age },
    fail: (error: unknown) => {
      failure = error
    },
    look: async () => {
      await leftovers.check()
      return readdirSync(folder).sort()
    },
  }
}

it.each(['done', 'failed', 'unknown'] as const)(
  'removes a folder without film of a job that is %s',
  async state => {
    const { states, look } = open({ job_a: {} })
    states.job_a = state
    expect(await look()).toEqual([])
  },
)

it('keeps folders of running jobs and checks them again', async () => {
  const { states, look } = open({ job_a: { days: 100 }, job_b: { file: FILM, days: 100 } })
  Object.assign(states, { job_a: 'going_on', job_b: 'going_on' })
  expect(await look()).toEqual(['job_a', 'job_b'])
  Object.assign(states, { job_a: 'done', job_b: 'done' })
  expect(await look()).toEqual([])
})

it('keeps captured media for a week when another worker finished the job, and logs it once', async () => {
  const { states, asked, lines, age, look } = open({ job_a: { file: FILM, days: 6 } })
  states.job_a = 'done'
  for (const _ of [1, 2]) expect(await look()).toEqual(['job_a'])
  expect(lines).toMatchObject([{ level: 40, job_id: 'job_a', state: 'done' }])
  age('job_a', 8)
  expect(await look()).toEqual([])
  expect(asked).toEqual(['job_a']) // what is over stays so
})

it.each(['failed', 'unknown'] as const)(
  'keeps film of a job that is %s for a person to decide',
  async state => {
    const { states, lines, look } = open({ job_a: { file: FILM, days: 1000 } })
    states.job_a = state
    for (const _ of [1, 2]) expect(await look()).toEqual(['job_a'])
    expect(lines).toMatchObject([{ level: 40, job_id: 'job_a', state }])
  },
)

it('keeps folders of active jobs, even if the job has just ended', async () => {
  const { states, asked, working, look } = open({ job_a: {}, job_b: {} })
  Object.assign(states, { job_a: 'done', job_b: 'done' })
  working.add('job_a')
  expect(await look()).toEqual(['job_a'])
  expect(asked).toEqual(['job_b'])
  working.clear()
  expect(await look()).toEqual([])
})

it('keeps the folder of a job that starts during the query', async () => {
  const { states, working, look } = open({ job_a: {} })
  Object.defineProperty(states, 'job_a', {
    get: () => {
      working.add('job_a')
      return 'done'
    },
  })
  expect(await look()).toEqual(['job_a'])
})

it('ignores other folders', async () => {
  const { asked, look } = open({ 'lost+found': {}, notes: {}, job_xyz: {}, '.job_a': {} })
  expect(await look()).toEqual(['.job_a', 'job_xyz', 'lost+found', 'notes'])
  expect(asked).toEqual([])
})

it('keeps everything when the server does not answer, and retries', async () => {
  const { states, lines, fail, look } = open({ job_a: {} })
  states.job_a = 'done'
  fail(new ControlFailure('temporarily_unavailable'))
  expect(await look()).toEqual(['job_a'])
  expect(lines).toEqual([])
  fail(new ControlFailure('unsupported_feature')) // an older server
  expect(await look()).toEqual(['job_a'])
  expect(lines).toMatchObject([{ level: 40 }])
  fail(null)
  expect(await look()).toEqual([])
})

it('stops when the worker drains', async () => {
  const { states, asked, drain, look } = open({ job_a: {} })
  states.job_a = 'done'
  drain.abort()
  expect(await look()).toEqual(['job_a'])
  expect(asked).toEqual([])
})

it('accepts a missing jobs folder', async () => {
  const { leftovers, folder, lines } = open({})
  rmSync(folder, { recursive: true })
  await leftovers.check()
  expect(lines).toEqual([])
})

import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { ControlFailure } from '@lectern/control-client'
import { pino } from 'pino'
import { afterAll, expect, it } from 'vitest'
import { OrphanedJobs, type OrphanedJobsParts } from './orphaned-jobs.ts'

const root = mkdtempSync(join(tmpdir(), 'lectern-orphaned-jobs-'))
afterAll(() => rmSync(root, { recursive: true }))

const DAY_MS = 86_400_000
const NOW = Date.now()
const MEDIA_FILE = join('tracks', '0001-1.rtp')

type State = Awaited<ReturnType<OrphanedJobsParts['stateOf']>>

/** Creates job folders that were last modified some days ago. */
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
  const queried: string[] = []
  const working = new Set<string>()
  const lines: { level: number; job_id?: string; state?: State }[] = []
  const drain = new AbortController()
  let failure: unknown = null
  const orphanedJobs = new OrphanedJobs({
    folder,
    stateOf: async jobId => {
      queried.push(jobId)
      if (failure) throw failure
      return states[jobId] ?? 'unknown'
    },
    isActive: jobId => working.has(jobId),
    hasCapturedMedia: async each => existsSync(join(each, MEDIA_FILE)),
    clock: () => NOW,
    drain: drain.signal,
    log: pino({ level: 'info' }, { write: line => void lines.push(JSON.parse(line)) }),
  })
  return {
    ...{ orphanedJobs, folder, states, queried, working, lines, drain, age },
    fail: (error: unknown) => {
      failure = error
    },
    checkAndList: async () => {
      await orphanedJobs.check()
      return readdirSync(folder).sort()
    },
  }
}

it.each(['done', 'failed', 'unknown'] as const)(
  'removes a folder without media of a job that is %s',
  async state => {
    const { states, checkAndList } = open({ job_a: {} })
    states.job_a = state
    expect(await checkAndList()).toEqual([])
  },
)

it('removes captured media of a job whose recording or room was deleted, also when it was kept until then', async () => {
  const { states, checkAndList } = open({ job_a: { file: MEDIA_FILE }, job_b: { file: MEDIA_FILE } })
  Object.assign(states, { job_a: 'deleted', job_b: 'done' })
  expect(await checkAndList()).toEqual(['job_b'])
  states.job_b = 'deleted'
  expect(await checkAndList()).toEqual([])
})

it('keeps folders of running jobs and checks them again', async () => {
  const { states, checkAndList } = open({ job_a: { days: 100 }, job_b: { file: MEDIA_FILE, days: 100 } })
  Object.assign(states, { job_a: 'going_on', job_b: 'going_on' })
  expect(await checkAndList()).toEqual(['job_a', 'job_b'])
  Object.assign(states, { job_a: 'done', job_b: 'done' })
  expect(await checkAndList()).toEqual([])
})

it('keeps captured media for a week when another worker finished the job, and logs it once', async () => {
  const { states, lines, age, checkAndList } = open({ job_a: { file: MEDIA_FILE, days: 6 } })
  states.job_a = 'done'
  for (const _ of [1, 2]) expect(await checkAndList()).toEqual(['job_a'])
  expect(lines).toMatchObject([{ level: 40, job_id: 'job_a', state: 'done' }])
  age('job_a', 8)
  expect(await checkAndList()).toEqual([])
})

it.each(['failed', 'unknown'] as const)(
  'keeps the media of a job that is %s for a decision of the operator',
  async state => {
    const { states, lines, checkAndList } = open({ job_a: { file: MEDIA_FILE, days: 1000 } })
    states.job_a = state
    for (const _ of [1, 2]) expect(await checkAndList()).toEqual(['job_a'])
    expect(lines).toMatchObject([{ level: 40, job_id: 'job_a', state }])
  },
)

it('keeps folders of active jobs, even if the job has just ended', async () => {
  const { states, queried, working, checkAndList } = open({ job_a: {}, job_b: {} })
  Object.assign(states, { job_a: 'done', job_b: 'done' })
  working.add('job_a')
  expect(await checkAndList()).toEqual(['job_a'])
  expect(queried).toEqual(['job_b'])
  working.clear()
  expect(await checkAndList()).toEqual([])
})

it('keeps the folder of a job that starts during the query', async () => {
  const { states, working, checkAndList } = open({ job_a: {} })
  Object.defineProperty(states, 'job_a', {
    get: () => {
      working.add('job_a')
      return 'done'
    },
  })
  expect(await checkAndList()).toEqual(['job_a'])
})

it('ignores other folders', async () => {
  const { queried, checkAndList } = open({ 'lost+found': {}, notes: {}, job_xyz: {}, '.job_a': {} })
  expect(await checkAndList()).toEqual(['.job_a', 'job_xyz', 'lost+found', 'notes'])
  expect(queried).toEqual([])
})

it('keeps everything when the server does not answer, and retries', async () => {
  const { states, lines, fail, checkAndList } = open({ job_a: {} })
  states.job_a = 'done'
  fail(new ControlFailure('temporarily_unavailable'))
  expect(await checkAndList()).toEqual(['job_a'])
  expect(lines).toEqual([])
  fail(new ControlFailure('unsupported_feature')) // an older server
  expect(await checkAndList()).toEqual(['job_a'])
  expect(lines).toMatchObject([{ level: 40 }])
  fail(null)
  expect(await checkAndList()).toEqual([])
})

it('keeps no other folder from being checked by one that cannot be', async () => {
  const { orphanedJobs, folder, states, lines } = open({ job_a: {}, job_b: {} })
  Object.defineProperty(states, 'job_a', {
    get: () => {
      throw new Error('broken')
    },
  })
  states.job_b = 'done'
  await orphanedJobs.check()
  expect(readdirSync(folder)).toEqual(['job_a'])
  expect(lines.map(({ level }) => level)).toEqual([30, 40])
})

it('stops when the worker drains', async () => {
  const { states, queried, drain, checkAndList } = open({ job_a: {} })
  states.job_a = 'done'
  drain.abort()
  expect(await checkAndList()).toEqual(['job_a'])
  expect(queried).toEqual([])
})

it('accepts a missing jobs folder', async () => {
  const { orphanedJobs, folder, lines } = open({})
  rmSync(folder, { recursive: true })
  await orphanedJobs.check()
  expect(lines).toEqual([])
})

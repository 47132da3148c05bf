import { Refusal } from '@lectern/protocol'
import { afterEach, describe, expect, it } from 'vitest'
import { jobStore } from '../db/jobs.ts'
import { openMainStore } from '../db/open.ts'
import { DomainEvents } from '../domain-events.ts'
import { createLog } from '../log.ts'
import { Jobs, type JobsParts } from './jobs.ts'
import { ENDED_KEPT_MS, LATE_MS, LEASE_MS } from './limits.ts'

const SESSION = { sessionId: 42, tag: 'k7mq-x2wd9-rtnh' }
const recorder = { userId: 7, workerId: 'rec-1' }

let close = async () => {}
afterEach(() => close())

/** Jobs of one open session, with what they log. */
async function open() {
  const main = await openMainStore(':memory:')
  close = () => main.close()
  const time = { now: 1_700_000_000_000 }
  const lines: string[] = []
  const store = jobStore(main.db)
  const results: JobsParts['results'] = { recording: async () => {}, transcription: async () => {} }
  const log = createLog('info', { write: line => void lines.push(line) })
  const domainEvents = new DomainEvents(log)
  const startSession = (kind: 'partner' | 'ordinary' = 'partner') =>
    domainEvents.publish('session-started', { session: SESSION, kind })
  const jobs = new Jobs({
    store,
    sessions: { locateById: async id => ({ is: id === SESSION.sessionId ? 'local' : 'none' }) },
    domainEvents,
    workers: { publishToAccount: () => {} },
    recordingParams: { profile: 'raw_tracks_v1' },
    results,
    clock: () => time.now,
    log,
  })
  const pass = async (ms: number) => {
    time.now += ms
    await jobs.tick()
  }
  const logged = () => lines.splice(0).map(line => JSON.parse(line) as Record<string, unknown>)
  /** Lets everything end that began without being awaited: the store is in memory. */
  const settle = () => new Promise(setImmediate)
  return { startSession, jobs, store, results, pass, logged, settle }
}

describe('jobs', () => {
  it('J11 are waited for without a word, and logged once when no recorder takes them', async () => {
    const { jobs, pass, logged, settle, startSession } = await open()
    startSession()
    await settle()
    await pass(LATE_MS - 1)
    expect(logged()).toEqual([])
    for (let i = 0; i < 3; i++) await pass(1_000)
    expect(logged()).toMatchObject([
      { level: 'warn', msg: 'no worker takes a job; it waits for one', conference_session_id: 42 },
    ])
    expect((await jobs.lease(recorder, 'recording', [])).job).toMatchObject({ scope: 'partner_auto' })
  })

  it('J11 that cannot be queued are logged, nobody is kept waiting, and they are tried again', async () => {
    const { store, pass, logged, settle, startSession } = await open()
    const { add } = store
    store.add = async () => {
      throw new Error('disk full')
    }
    startSession()
    await settle()
    await pass(1_000)
    expect(logged()).toMatchObject([{ level: 'error', msg: 'a recording could not be queued' }])
    store.add = add
    await pass(1_000)
    await pass(1_000)
    expect(await store.goingOn()).toMatchObject([{ scope: 'partner_auto', conferenceSessionId: 42 }])
  })

  it('J5 are not finished while their result is not as it should be', async () => {
    const { jobs, results } = await open()
    await jobs.startRecording(SESSION)
    const { job } = await jobs.lease(recorder, 'recording', [])
    const finish = () => jobs.finish(recorder, job?.job_id ?? '', { outcome: 'done', result: { files: 3 } })
    results.recording = async () => {
      throw new Refusal('invalid_argument')
    }
    await expect(finish()).rejects.toMatchObject({ code: 'invalid_argument' })
    const kept: unknown[] = []
    results.recording = async ({ id }, result) => void kept.push([id, result])
    expect(await jobs.heldBy(7)).toMatchObject([{ id: job?.job_id }])
    expect([await finish(), await finish()]).toEqual([{ outcome: 'done' }, { outcome: 'done' }])
    expect(kept).toEqual([[job?.job_id, { files: 3 }]])
    expect(await jobs.heldBy(7)).toEqual([])
  })

  it('J5 bring nothing when they failed, or are not held by who finishes them', async () => {
    const { jobs, results } = await open()
    results.recording = async () => expect.fail('there is nothing to be kept')
    await jobs.startRecording(SESSION)
    const { job } = await jobs.lease(recorder, 'recording', [])
    const id = job?.job_id ?? ''
    const stranger = { ...recorder, workerId: 'rec-2' }
    await expect(jobs.finish(stranger, id, { outcome: 'done', result: {} })).rejects.toThrow('does not hold')
    await jobs.finish(recorder, id, { outcome: 'failed', result: {} })
  })

  it('are counted by kind and state, with the time that the oldest waits', async () => {
    const { jobs, pass } = await open()
    const read = () => Object.entries(jobs.readings).map(([name, { read: now }]) => [name, now()])
    await jobs.startRecording(SESSION)
    await pass(1_000)
    await pass(7_000)
    expect(Object.fromEntries(read())).toEqual({
      recording_jobs_queued: 1,
      recording_jobs_leased: 0,
      transcription_jobs_queued: 0,
      transcription_jobs_leased: 0,
      jobs_oldest_free_seconds: 7,
    })
    await jobs.lease(recorder, 'recording', [])
    await pass(1_000)
    expect(Object.fromEntries(read())).toMatchObject({
      recording_jobs_leased: 1,
      jobs_oldest_free_seconds: 0,
    })
  })

  it('are forgotten a month after their end', async () => {
    const { jobs, store, pass } = await open()
    await jobs.startRecording(SESSION)
    const { job } = await jobs.lease(recorder, 'recording', [])
    await jobs.finish(recorder, job?.job_id ?? '', { outcome: 'done', result: {} })
    await pass(ENDED_KEPT_MS)
    await jobs.sweep()
    expect(await store.find(job?.job_id ?? '')).not.toBeNull()
    await pass(1)
    await jobs.startRecording(SESSION)
    await pass(ENDED_KEPT_MS + 1)
    await jobs.sweep()
    expect(await store.find(job?.job_id ?? '')).toBeNull()
    expect(await store.goingOn()).toHaveLength(1)
  })

  it('J13 begin by themselves for no ordinary conference', async () => {
    const { store, settle, startSession } = await open()
    startSession('ordinary')
    await settle()
    expect(await store.goingOn()).toEqual([])
  })

  it('J2 are logged when a worker has lost them', async () => {
    const { jobs, pass, logged } = await open()
    await jobs.startRecording(SESSION)
    await jobs.lease(recorder, 'recording', [])
    await pass(LEASE_MS)
    expect(logged()).toMatchObject([{ level: 'warn', msg: 'the lease of a job ran out', attempts: 1 }])
  })

  it('J5 that fail are logged with what the worker says of it', async () => {
    const { jobs, logged } = await open()
    await jobs.startRecording(SESSION)
    const { job } = await jobs.lease(recorder, 'recording', [])
    await jobs.finish(recorder, job?.job_id ?? '', { outcome: 'failed', result: { reason: 'disk full' } })
    expect(logged()).toMatchObject([{ level: 'error', msg: 'a job failed', result: { reason: 'disk full' } }])
  })
})

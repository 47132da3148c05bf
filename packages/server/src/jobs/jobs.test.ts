import { Refusal } from '@lectern/protocol'
import { afterEach, describe, expect, it } from 'vitest'
import { jobStore } from '../db/jobs.ts'
import { openMainStore } from '../db/open.ts'
import { DomainEvents } from '../domain-events.ts'
import { createLog } from '../log.ts'
import { localLease } from '../sessions/testing/local-lease.ts'
import { Jobs, type JobsParts } from './jobs.ts'
import { ENDED_JOB_RETENTION_MS, LEASE_MS, UNTAKEN_WARNING_MS } from './limits.ts'

const SESSION = { sessionId: 42, tag: 'k7mq-x2wd9-rtnh', lease: localLease({ sessionId: 42 }) }
const recorder = { userId: 7, workerId: 'rec-1' }

let close = async () => {}
afterEach(() => close())

/** Jobs with a real store, a fake clock and the sessions that have ended. */
async function open() {
  const main = await openMainStore(':memory:')
  close = () => main.close()
  const time = { now: 1_700_000_000_000 }
  const ended = new Set<number>()
  const lines: string[] = []
  const store = jobStore(main.db)
  const results: JobsParts['results'] = { recording: async () => {}, transcription: async () => {} }
  const log = createLog('info', { write: line => void lines.push(line) })
  const domainEvents = new DomainEvents(log)
  const startSession = (kind: 'partner' | 'ordinary' = 'partner') =>
    domainEvents.publish('session-started', { session: SESSION, kind })
  const jobs = new Jobs({
    store,
    sessions: { locateById: async id => ({ is: ended.has(id) ? 'none' : 'remote' }) },
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
  /** Completes work that was started without being awaited; the store is in memory. */
  const settle = () => new Promise(setImmediate)
  return { startSession, jobs, store, results, ended, pass, logged, settle }
}

describe('jobs', () => {
  it('J11 are logged once when no recorder takes them in time', async () => {
    const { jobs, pass, logged, settle, startSession } = await open()
    startSession()
    await settle()
    await pass(UNTAKEN_WARNING_MS - 1)
    expect(logged()).toEqual([])
    for (let i = 0; i < 3; i++) await pass(1_000)
    expect(logged()).toMatchObject([
      { level: 'warn', msg: 'no worker takes a job; it remains queued', conference_session_id: 42 },
    ])
    expect((await jobs.lease(recorder, 'recording', [])).job).toMatchObject({ scope: 'partner_auto' })
  })

  it('J11 that cannot be queued are logged and retried without delaying anybody', async () => {
    const { store, pass, logged, settle, startSession } = await open()
    const { addUnder } = store
    store.addUnder = async () => {
      throw new Error('disk full')
    }
    startSession()
    await settle()
    await pass(1_000)
    expect(logged()).toMatchObject([{ level: 'error', msg: 'a recording could not be queued' }])
    store.addUnder = addUnder
    await pass(1_000)
    await pass(1_000)
    expect(await store.listUnfinished()).toMatchObject([{ scope: 'partner_auto', conferenceSessionId: 42 }])
  })

  it('J5 are not finished while their result is invalid', async () => {
    const { jobs, results } = await open()
    await jobs.startRecording(SESSION)
    const { job } = await jobs.lease(recorder, 'recording', [])
    const finish = () => jobs.finish(recorder, job?.job_id ?? '', { outcome: 'done', result: { files: 3 } })
    results.recording = async () => {
      throw new Refusal('invalid_argument')
    }
    await expect(finish()).rejects.toMatchObject({ code: 'invalid_argument' })
    const saved: unknown[] = []
    results.recording = async ({ id }, result) => void saved.push([id, result])
    expect(await jobs.listLeasedTo(7)).toMatchObject([{ id: job?.job_id }])
    expect([await finish(), await finish()]).toEqual([{ outcome: 'done' }, { outcome: 'done' }])
    expect(saved).toEqual([[job?.job_id, { files: 3 }]])
    expect(await jobs.listLeasedTo(7)).toEqual([])
  })

  it('J5 save no result when they failed or are finished by another worker', async () => {
    const { jobs, results } = await open()
    results.recording = async () => expect.fail('no result may be saved')
    await jobs.startRecording(SESSION)
    const { job } = await jobs.lease(recorder, 'recording', [])
    const id = job?.job_id ?? ''
    const stranger = { ...recorder, workerId: 'rec-2' }
    await expect(jobs.finish(stranger, id, { outcome: 'done', result: {} })).rejects.toThrow('does not hold')
    await jobs.finish(recorder, id, { outcome: 'failed', result: {} })
  })

  it('are counted by kind and state, with the waiting time of the oldest', async () => {
    const { jobs, pass } = await open()
    const read = () => Object.entries(jobs.metrics).map(([name, { read: now }]) => [name, now()])
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

  it('J7 are cancelled only when their session has ended, also one that is open on another server', async () => {
    const { jobs, store, ended, pass } = await open()
    await jobs.startRecording(SESSION)
    const [job] = await store.listUnfinished()
    await pass(1_000)
    expect((await store.find(job?.id ?? ''))?.state.is).toBe('queued')
    ended.add(SESSION.sessionId)
    await pass(1_000)
    expect((await store.find(job?.id ?? ''))?.state.is).toBe('cancelled')
  })

  it('are removed a month after their end', async () => {
    const { jobs, store, pass } = await open()
    await jobs.startRecording(SESSION)
    const { job } = await jobs.lease(recorder, 'recording', [])
    await jobs.finish(recorder, job?.job_id ?? '', { outcome: 'done', result: {} })
    await pass(ENDED_JOB_RETENTION_MS)
    await jobs.sweep()
    expect(await store.find(job?.job_id ?? '')).not.toBeNull()
    await pass(1)
    await jobs.startRecording(SESSION)
    await pass(ENDED_JOB_RETENTION_MS + 1)
    await jobs.sweep()
    expect(await store.find(job?.job_id ?? '')).toBeNull()
    expect(await store.listUnfinished()).toHaveLength(1)
  })

  it('J13 do not start automatically for ordinary conferences', async () => {
    const { store, settle, startSession } = await open()
    startSession('ordinary')
    await settle()
    expect(await store.listUnfinished()).toEqual([])
  })

  it('J2 are logged when their lease expired', async () => {
    const { jobs, pass, logged } = await open()
    await jobs.startRecording(SESSION)
    await jobs.lease(recorder, 'recording', [])
    await pass(LEASE_MS)
    expect(logged()).toMatchObject([{ level: 'warn', msg: 'the lease of a job expired', attempts: 1 }])
  })

  it('J5 that fail are logged with the result of the worker', async () => {
    const { jobs, logged } = await open()
    await jobs.startRecording(SESSION)
    const { job } = await jobs.lease(recorder, 'recording', [])
    await jobs.finish(recorder, job?.job_id ?? '', { outcome: 'failed', result: { reason: 'disk full' } })
    expect(logged()).toMatchObject([{ level: 'error', msg: 'a job failed', result: { reason: 'disk full' } }])
  })
})

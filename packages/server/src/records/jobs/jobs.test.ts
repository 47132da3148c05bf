import { Refusal } from '@lectern/protocol'
import type { JobKind, JsonObject } from '@lectern/protocol/control'
import { afterEach, describe, expect, it } from 'vitest'
import { recordingParamsOf } from '../../compose/sessions.ts'
import { DomainEvents } from '../../domain-events.ts'
import { openMainStore } from '../../platform/db/open.ts'
import { createLog } from '../../platform/log.ts'
import type { ConferenceSettings } from '../../sessions/ports.ts'
import { sessionStore } from '../../sessions/stores/conference-sessions.ts'
import { newRow } from '../../sessions/stores/session-rows.ts'
import { localLease } from '../../sessions/testing/local-lease.ts'
import { jobStore } from '../stores/jobs.ts'
import { Jobs, type JobsParts } from './jobs.ts'
import {
  ENDED_JOB_RETENTION_MS,
  LEASE_MS,
  MAX_ATTEMPTS,
  UNTAKEN_WARNING_MS,
  WORKER_TIMEOUT_MS,
} from './limits.ts'

const SESSION = { sessionId: 42, tag: 'k7mq-x2wd9-rtnh', lease: localLease({ sessionId: 42 }) }
const TICK_MS = 1_000
const recorder = { userId: 7, workerId: 'rec-1' }
const TRANSCRIBED = { recording: 'automatic', transcription: { language: 'en' } } as ConferenceSettings

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

/** Jobs with a real store, a fake clock and the sessions that have ended. */
async function open(recordingParams: JsonObject = { profile: 'raw_tracks_v1' }) {
  const main = await openMainStore(':memory:')
  closers.push(() => main.close())
  const time = { now: 1_700_000_000_000 }
  await main.db
    .insertInto('conference_sessions')
    .values({ ...newRow(SESSION.tag, 1, 'local'), id: SESSION.sessionId })
    .execute()
  const endSession = () => sessionStore(main.db).end(SESSION.lease, time.now, 'ended')
  const restoreSession = () => sessionStore(main.db).resumeOpen()
  const isActive: Partial<Record<JobKind, boolean>> = {}
  const lines: string[] = []
  const published: string[] = []
  const store = jobStore(main.db)
  const results: JobsParts['results'] = {
    recording: async () => {},
    transcription: async () => {},
    conversion: async () => {},
  }
  const log = createLog('info', { write: line => void lines.push(line) })
  const domainEvents = new DomainEvents(log)
  domainEvents.subscribe('job-activity-reported', report => {
    isActive[report.kind] = report.isActive
  })
  const startSession = (kind: 'partner' | 'ordinary' = 'partner', settings?: ConferenceSettings) =>
    domainEvents.publish('session-started', { session: SESSION, kind, settings })
  const openSessions = async (count: number) => {
    const ids = Array.from({ length: count }, (_, index) => 100 + index)
    const rows = ids.map(id => ({ ...newRow(`${SESSION.tag}-${id}`, 1, 'local'), id }))
    await main.db.insertInto('conference_sessions').values(rows).execute()
    return rows.map(({ id, tag }) => ({ sessionId: id, tag, lease: localLease({ sessionId: id }) }))
  }
  const endSessions = (count: number) => {
    for (let sessionId = 1; sessionId <= count; sessionId++)
      domainEvents.publish('session-ended', { sessionId })
  }
  const openOther = () => new Jobs({ ...parts, domainEvents: new DomainEvents(log) })
  const parts: JobsParts = {
    store,
    sessions: { owner: 'local' },
    domainEvents,
    workers: { publishToAccount: (_, { name }) => void published.push(name) },
    recordingParams,
    results,
    externalIdsOf: async () => new Map(),
    clock: () => time.now,
    log,
  }
  const jobs = new Jobs(parts)
  /** The server does nothing for that long. */
  const sleep = (ms: number) => {
    time.now += ms
  }
  const pause = async (ms: number) => {
    sleep(ms)
    await jobs.tick()
  }
  const pass = async (ms: number) => {
    for (let left = ms; left > 0; left -= TICK_MS) await pause(Math.min(left, TICK_MS))
  }
  const logged = () => lines.splice(0).map(line => JSON.parse(line) as Record<string, unknown>)
  /** Completes work that was started without being awaited; the store is in memory. */
  const settle = () => new Promise(setImmediate)
  return {
    ...{ startSession, endSession, restoreSession, jobs, store, results, pass, sleep, pause, logged, settle },
    ...{ isActive, published, endSessions, openSessions, openOther },
  }
}

describe('jobs', () => {
  it('J11 are logged once when no recorder takes them in time (RECORD-2)', async () => {
    const { jobs, pass, logged, settle, startSession } = await open()
    startSession()
    await settle()
    await pass(UNTAKEN_WARNING_MS - 1)
    expect(logged()).toEqual([])
    await pass(3_000)
    expect(logged()).toMatchObject([
      {
        level: 'warn',
        msg: 'no worker takes a job: it remains queued until one with the capability connects',
        conference_session_id: 42,
      },
    ])
    expect((await jobs.leased.lease(recorder, 'recording', [])).job).toMatchObject({ scope: 'partner_auto' })
  })

  it('J11 are logged as one line of each kind, however many wait', async () => {
    const { jobs, pass, logged, openSessions } = await open()
    for (const session of await openSessions(300)) {
      await jobs.startRecording(session)
      await jobs.startTranscription(session, {})
    }
    await pass(UNTAKEN_WARNING_MS + 2_000)
    const lines = logged() as { kind: JobKind; others: number }[]
    const logsOf = (kind: JobKind) => lines.filter(line => line.kind === kind)
    for (const kind of ['recording', 'transcription'] as const) {
      // The last ones were seen by the next poll.
      expect(logsOf(kind).length).toBeLessThanOrEqual(2)
      expect(logsOf(kind).reduce((sum, { others }) => sum + 1 + others, 0)).toBe(300)
    }
  })

  it('are polled once more, however many sessions end while a poll is running', async () => {
    const { store, jobs, endSessions } = await open()
    const { listScheduled } = store
    let polls = 0
    store.listScheduled = owner => {
      polls += 1
      return listScheduled(owner)
    }
    endSessions(250)
    await jobs.tick()
    expect(polls).toBe(2)
  })

  it('are not polled for each session that is taken over with its job', async () => {
    const { store, startSession, settle, pass } = await open()
    startSession('partner')
    await pass(1_000)
    let polls = 0
    const { listScheduled } = store
    store.listScheduled = owner => {
      polls += 1
      return listScheduled(owner)
    }
    startSession('partner')
    await settle()
    expect(polls).toBe(0)
  })

  it('J11 that cannot be queued are logged and retried without delaying anybody (RECORD-2)', async () => {
    const { store, pass, logged, settle, startSession } = await open()
    const { addUnder } = store
    store.addUnder = async () => {
      throw new Error('disk full')
    }
    startSession('partner', TRANSCRIBED)
    await settle()
    await pass(1_000)
    expect(logged()).toMatchObject([
      { level: 'error', msg: 'a recording could not be queued: retried while the session runs' },
      { level: 'error', msg: 'a transcription could not be queued: retried while the session runs' },
    ])
    store.addUnder = addUnder
    await pass(1_000)
    await pass(1_000)
    expect(await store.listUnfinished(SESSION)).toMatchObject([
      { kind: 'recording', scope: 'partner_auto', conferenceSessionId: 42 },
      { kind: 'transcription', params: { language: 'en' }, conferenceSessionId: 42 },
    ])
  })

  it.each([
    [{ profile: 'consolidated_native' }, { profile: 'consolidated_mp4' }],
    [
      { profile: 'decoded_audio', format: 'mp3' },
      { profile: 'decoded_audio', format: 'mp3' },
    ],
  ])(
    'make MP4 of what users record with %j, and what was configured for partners',
    async (params, expected) => {
      const { jobs } = await open(params)
      await jobs.startRecording(SESSION)
      expect((await jobs.leased.lease(recorder, 'recording', [])).job).toMatchObject({ params: expected })
      const other = await open(params)
      other.startSession()
      await expect
        .poll(async () => (await other.jobs.leased.lease(recorder, 'recording', [])).job?.params)
        .toEqual(params)
    },
  )

  it('has the format of decoded audio that the operator chooses', () => {
    const Embedded = true
    const paramsOf = (Profile: string, AudioFormat: string) =>
      recordingParamsOf({ Embedded, Profile, AudioFormat } as never)
    expect(paramsOf('decoded_audio', 'mp3')).toEqual({ profile: 'decoded_audio', format: 'mp3' })
    expect(paramsOf('consolidated_native', 'mp3')).toEqual({ profile: 'consolidated_native' })
  })

  it('J5 are not finished while their result is invalid', async () => {
    const { jobs, results } = await open()
    await jobs.startRecording(SESSION)
    const { job } = await jobs.leased.lease(recorder, 'recording', [])
    const finish = () =>
      jobs.leased.finish(recorder, job?.job_id ?? '', { outcome: 'done', result: { files: 3 } })
    results.recording = async () => {
      throw new Refusal('invalid_argument')
    }
    await expect(finish()).rejects.toMatchObject({ code: 'invalid_argument' })
    const saved: unknown[] = []
    results.recording = async ({ id }, result) => void saved.push([id, result])
    expect(await jobs.leased.listHeldBy(7)).toMatchObject([{ id: job?.job_id }])
    expect([await finish(), await finish()]).toEqual([{ outcome: 'done' }, { outcome: 'done' }])
    expect(saved).toEqual([[job?.job_id, { files: 3 }]])
    expect(await jobs.leased.listHeldBy(7)).toEqual([])
  })

  it('J5 save no result when they failed or are finished by another worker', async () => {
    const { jobs, results } = await open()
    results.recording = async () => expect.fail('no result may be saved')
    await jobs.startRecording(SESSION)
    const { job } = await jobs.leased.lease(recorder, 'recording', [])
    const id = job?.job_id ?? ''
    const stranger = { ...recorder, workerId: 'rec-2' }
    await expect(jobs.leased.finish(stranger, id, { outcome: 'done', result: {} })).rejects.toThrow(
      'does not hold',
    )
    await jobs.leased.finish(recorder, id, { outcome: 'failed', result: {} })
  })

  it('are counted by kind and state, with the waiting time of the oldest', async () => {
    const { jobs, pass, sleep } = await open()
    const read = () =>
      Promise.all(Object.entries(jobs.metrics).map(async ([name, { read: now }]) => [name, await now()]))
    await jobs.startRecording(SESSION)
    await pass(1_000)
    await pass(7_000)
    expect(Object.fromEntries(await read())).toEqual({
      recording_jobs_queued: 1,
      recording_jobs_leased: 0,
      transcription_jobs_queued: 0,
      transcription_jobs_leased: 0,
      conversion_jobs_queued: 0,
      conversion_jobs_leased: 0,
      jobs_oldest_free_seconds: 7,
    })
    sleep(-3_600_000) // the clock was set back: the time since the last poll is not counted
    await pass(2_000)
    expect(Object.fromEntries(await read())).toMatchObject({ jobs_oldest_free_seconds: 8 })
    await jobs.leased.lease(recorder, 'recording', [])
    await pass(1_000)
    expect(Object.fromEntries(await read())).toMatchObject({
      recording_jobs_leased: 1,
      jobs_oldest_free_seconds: 0,
    })
  })

  it('J7 are cancelled when their session has ended', async () => {
    const { jobs, store, endSession, pass } = await open()
    await jobs.startRecording(SESSION)
    const [job] = await store.listUnfinished(SESSION)
    await pass(1_000)
    expect((await store.find(job?.id ?? ''))?.state.is).toBe('queued')
    await endSession()
    await pass(1_000)
    expect((await store.find(job?.id ?? ''))?.state.is).toBe('cancelled')
  })

  it('are removed a month after their end', async () => {
    const { jobs, store, pause } = await open()
    await jobs.startRecording(SESSION)
    const { job } = await jobs.leased.lease(recorder, 'recording', [])
    await jobs.leased.finish(recorder, job?.job_id ?? '', { outcome: 'done', result: {} })
    await pause(ENDED_JOB_RETENTION_MS)
    await jobs.sweep()
    expect(await store.find(job?.job_id ?? '')).not.toBeNull()
    await pause(1)
    await jobs.startRecording(SESSION)
    await pause(ENDED_JOB_RETENTION_MS + 1)
    await jobs.sweep()
    expect(await store.find(job?.job_id ?? '')).toBeNull()
    expect(await store.listUnfinished(SESSION)).toHaveLength(1)
  })

  it('J13 do not start automatically for ordinary conferences', async () => {
    const { store, settle, startSession } = await open()
    startSession('ordinary')
    await settle()
    expect(await store.listUnfinished(SESSION)).toEqual([])
  })

  it('J2 are logged when their lease expired', async () => {
    const { jobs, pass, logged } = await open()
    await jobs.startRecording(SESSION)
    await jobs.leased.lease(recorder, 'recording', [])
    await pass(LEASE_MS)
    expect(logged()).toMatchObject([
      {
        level: 'warn',
        msg: 'the lease of a job expired: its worker no longer renews it, and another one may continue',
        attempts: 1,
      },
    ])
  })

  it('J22 that expired while the server was down remain with their holders for a grace period', async () => {
    const { jobs, pass, pause, logged, published } = await open()
    await jobs.startRecording(SESSION)
    await pass(1_000)
    const { job } = await jobs.leased.lease(recorder, 'recording', [])
    const another = { ...recorder, workerId: 'rec-2' }
    const leaseOther = async () => (await jobs.leased.lease(another, 'recording', [])).job?.job_id
    await pause(LEASE_MS + 1_000)
    published.length = 0
    expect(await leaseOther()).toBeUndefined()
    await pass(LEASE_MS / 2 - 1_000)
    expect([await leaseOther(), published, logged()]).toEqual([undefined, [], []])
    await jobs.leased.renew(recorder, job?.job_id ?? '')
    await pass(LEASE_MS - 1_000)
    expect(await leaseOther()).toBeUndefined()
    await pass(1_000)
    expect(published).toEqual(['job.available'])
    expect(await leaseOther()).toBe(job?.job_id)
  })

  it.each([
    ['lives', undefined],
    ['is dead', 'free'],
  ])(
    'J22 of a worker that %s are as free after the clock was set back by an hour as ever',
    async (_, state) => {
      const { jobs, pass, sleep } = await open()
      await jobs.startRecording(SESSION)
      await pass(1_000)
      const { job_id = '' } = (await jobs.leased.lease(recorder, 'recording', [])).job ?? {}
      const another = { ...recorder, workerId: 'rec-2' }
      const leaseOther = async () => (await jobs.leased.lease(another, 'recording', [])).job?.job_id
      sleep(-3_600_000)
      await pass(LEASE_MS / 2 - 1_000)
      expect(await leaseOther()).toBeUndefined()
      if (state === undefined) await jobs.leased.renew(recorder, job_id)
      await pass(2_000)
      expect(await leaseOther()).toBe(state && job_id)
    },
  )

  it('J22 remain with their holders even before the first poll after a pause', async () => {
    const { jobs, pass, sleep } = await open()
    await jobs.startRecording(SESSION)
    await pass(LEASE_MS)
    await jobs.leased.lease(recorder, 'recording', [])
    sleep(LEASE_MS * 10)
    expect((await jobs.leased.lease({ ...recorder, workerId: 'rec-2' }, 'recording', [])).job).toBeNull()
  })

  it('J12 are inactive after a restart until their worker returns', async () => {
    const { jobs, pass, restoreSession, isActive } = await open()
    await jobs.startRecording(SESSION)
    const { job } = await jobs.leased.lease(recorder, 'recording', [])
    await jobs.leased.progress(recorder, job?.job_id ?? '', { active: true })
    await pass(1_000)
    expect(isActive).toEqual({ recording: true })
    await restoreSession()
    await pass(1_000)
    expect(isActive).toEqual({ recording: false })
    await jobs.leased.renew(recorder, job?.job_id ?? '')
    await pass(1_000)
    expect(isActive).toEqual({ recording: true })
  })

  it('X10 list the languages of the transcribers, unless one of them has not announced its own', async () => {
    const { jobs } = await open()
    expect([jobs.transcriptionLanguages(), jobs.canTranscribe('de')]).toEqual([[], false])
    await jobs.leased.lease(recorder, 'transcription', [], { languages: ['en-US', 'de'] })
    expect(jobs.transcriptionLanguages()).toEqual(['de', 'en-US'])
    expect(['de-AT', 'EN', 'fr'].map(each => jobs.canTranscribe(each))).toEqual([true, true, false])
    await jobs.leased.lease({ ...recorder, userId: 99 }, 'transcription', [])
    expect([jobs.transcriptionLanguages(), jobs.canTranscribe('fr')]).toEqual([[], true])
  })

  it('of office documents are offered while a converter has said lately that it takes them', async () => {
    const { jobs, sleep } = await open()
    const poll = (workerId: string, formats?: string[]) =>
      jobs.leased.lease({ userId: 7, workerId }, 'conversion', [], { formats })
    await poll('plain')
    expect([jobs.hasConverter(), jobs.convertsOffice()]).toEqual([true, false])
    await poll('office', ['office'])
    // Another one of the same account does not.
    await poll('plain')
    expect(jobs.convertsOffice()).toBe(true)
    sleep(WORKER_TIMEOUT_MS + 1)
    await poll('plain')
    expect([jobs.hasConverter(), jobs.convertsOffice()]).toEqual([true, false])
  })

  it('are offered by every server while their worker polls, also after the clock was set back', async () => {
    const { jobs, sleep, settle, pause, openOther } = await open()
    const poll = () =>
      jobs.leased.lease({ userId: 7, workerId: 'office' }, 'conversion', [], { formats: ['office'] })
    const other = openOther()
    const offered = async () => {
      await settle()
      await other.tick()
      return [jobs, other].map(each => [each.hasConverter(), each.convertsOffice()])
    }
    const [yes, no] = [
      [true, true],
      [false, false],
    ]
    await poll()
    expect(await offered()).toEqual([yes, yes])
    sleep(-3_600_000)
    expect(await offered()).toEqual([no, no])
    await poll()
    expect(await offered()).toEqual([yes, yes])
    await pause(WORKER_TIMEOUT_MS + 1)
    expect(await offered()).toEqual([no, no])
  })

  it('of office documents are offered while the converter works on one', async () => {
    const { jobs, sleep } = await open()
    const worker = { userId: 7, workerId: 'office' }
    await jobs.convert('job_a', { ...SESSION, params: { format: 'office' } })
    expect(await jobs.leased.lease(worker, 'conversion', [], { formats: ['office'] })).toMatchObject({
      job: { job_id: 'job_a' },
    })
    for (let times = 0; times < 3; times++) {
      sleep(WORKER_TIMEOUT_MS / 2)
      await jobs.leased.renew(worker, 'job_a')
    }
    expect(jobs.convertsOffice()).toBe(true)
  })

  it('X9 of a transcriber that was lost are followed by another run, until too many were lost', async () => {
    const { jobs, store, pass } = await open()
    await jobs.startTranscription(SESSION, { language: 'en' })
    const runs = new Set<string>()
    for (;;) {
      const { job } = await jobs.leased.lease(recorder, 'transcription', [])
      if (!job) break
      runs.add(job.job_id)
      expect(job.params).toEqual({ language: 'en' })
      await jobs.leased.progress(recorder, job.job_id, { active: true, details: { started_at_ms: 1 } })
      const lost = (await jobs.leased.lease(recorder, 'transcription', [])).job
      if (!lost) break
      expect(lost).toMatchObject({ job_id: job.job_id, details: { started_at_ms: 1 } })
      await jobs.leased.finish(recorder, job.job_id, { outcome: 'failed', result: { reason: 'worker_lost' } })
      expect(await store.listUnfinished(SESSION)).toHaveLength(1)
      await pass(1_000)
    }
    expect(runs.size).toBe(MAX_ATTEMPTS / 2)
    expect(await store.listUnfinished(SESSION)).toEqual([])
  })

  it('X9 of a transcriber that was shut down are followed by another run; others are not', async () => {
    const { jobs, store } = await open()
    const run = async () => {
      await jobs.startTranscription(SESSION, {})
      return (await jobs.leased.lease(recorder, 'transcription', [])).job?.job_id ?? ''
    }
    const drained = await run()
    await jobs.leased.finish(recorder, drained, { outcome: 'done', result: { blob_id: 'b' } })
    expect(await store.listUnfinished(SESSION)).toMatchObject([
      { kind: 'transcription', state: { is: 'queued' } },
    ])
    const stopped = await run()
    expect(stopped).not.toBe(drained)
    await jobs.stopTranscription(SESSION.sessionId)
    await jobs.leased.finish(recorder, stopped, { outcome: 'done', result: { blob_id: 'b' } })
    expect(await store.listUnfinished(SESSION)).toEqual([])
    await jobs.leased.finish(recorder, await run(), {
      outcome: 'failed',
      result: { reason: 'language_unavailable' },
    })
    expect(await store.listUnfinished(SESSION)).toEqual([])
  })

  it('J8 recordings that are finished are not followed by another one', async () => {
    const { jobs, store } = await open()
    await jobs.startRecording(SESSION)
    const { job } = await jobs.leased.lease(recorder, 'recording', [])
    await jobs.leased.finish(recorder, job?.job_id ?? '', { outcome: 'done', result: {} })
    expect(await store.listUnfinished(SESSION)).toEqual([])
  })

  it('J5 that fail are logged with the result of the worker', async () => {
    const { jobs, logged } = await open()
    await jobs.startRecording(SESSION)
    const { job } = await jobs.leased.lease(recorder, 'recording', [])
    await jobs.leased.finish(recorder, job?.job_id ?? '', {
      outcome: 'failed',
      result: { reason: 'disk full' },
    })
    expect(logged()).toMatchObject([
      { level: 'error', msg: 'a job failed: its result has the reason', result: { reason: 'disk full' } },
    ])
  })
})

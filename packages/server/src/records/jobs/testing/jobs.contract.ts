import { describe, expect, it } from 'vitest'
import type { SessionStore, StoredSession } from '../../../sessions/ports.ts'
import { localLease } from '../../../sessions/testing/local-lease.ts'
import type { JobStore } from '../../stores/jobs.ts'
import type { JobOwner, NewJob } from '../ports.ts'

const recording: NewJob = {
  kind: 'recording',
  scope: 'partner_auto',
  conferenceSessionId: 42,
  conferenceTag: 'k7mq-x2wd9-rtnh',
  params: { profile: 'raw_tracks_v1', deep: [{ ärger: '👋' }] },
}
const one: JobOwner = { userId: 7, workerId: 'one' }
const two: JobOwner = { userId: 7, workerId: 'two' }
const stranger: JobOwner = { userId: 8, workerId: 'one' }
const done = { outcome: 'done', result: { files: 3 } } as const

const lease = (store: JobStore, owner: JobOwner, nowMs: number, holding: string[] = []) =>
  store.lease({ kind: 'recording', holding, expiredAtMs: nowMs }, { owner, nowMs, untilMs: nowMs + 100 })

const SESSION = { sessionId: recording.conferenceSessionId }

const isOf = ({ sessionId, tag }: StoredSession) => ({ conferenceSessionId: sessionId, conferenceTag: tag })

const ids = (jobs: { id: string }[]) => jobs.map(({ id }) => id)

/** The contract of job stores. `open` returns an empty store, and a function that reopens it as after a kill -9. */
export function describeJobStore(
  open: () => Promise<{
    store: JobStore
    sessions: Pick<SessionStore, 'findOrOpen' | 'resumeOpen' | 'end'>
    reopen: () => Promise<JobStore>
  }>,
) {
  describe('job store', () => {
    it('J1 leases a job to one worker at a time', async () => {
      const { store } = await open()
      const { id } = await store.add(recording, 1)
      const leased = await Promise.all([one, two, stranger].map(owner => lease(store, owner, 10)))
      expect(leased.filter(job => job?.id === id)).toHaveLength(1)
      expect(leased.filter(job => job === null)).toHaveLength(2)
    })

    it('J1 leases jobs of the requested kind, oldest first', async () => {
      const { store } = await open()
      const added = [
        await store.add({ ...recording, conferenceSessionId: 1 }, 1),
        await store.add({ ...recording, conferenceSessionId: 2 }, 2),
      ]
      const other = await store.add({ ...recording, kind: 'transcription' }, 0)
      const leased = [
        await lease(store, one, 10),
        await lease(store, two, 10),
        await lease(store, stranger, 10),
      ]
      expect(leased.map(job => job?.id)).toEqual([...ids(added), undefined])
      const request = { kind: 'transcription', holding: [], expiredAtMs: 10 } as const
      expect(await store.lease(request, { owner: one, nowMs: 10, untilMs: 20 })).toMatchObject({
        id: other.id,
      })
    })

    it('J2 offers a job again only when its lease has expired', async () => {
      const { store } = await open()
      const { id } = await store.add(recording, 1)
      await lease(store, one, 10)
      expect(await lease(store, two, 109)).toBeNull()
      expect(await store.renew(id, { owner: one, nowMs: 500, untilMs: 600 })).toMatchObject({ id }) // nobody took it
      expect(await lease(store, two, 599)).toBeNull()
      expect(await lease(store, two, 600)).toMatchObject({
        id,
        state: { is: 'leased', owner: two, untilMs: 700 },
      })
      expect(await store.renew(id, { owner: one, nowMs: 610, untilMs: 700 })).toBeNull()
    })

    it('J3 counts the attempts', async () => {
      const { store } = await open()
      expect((await store.add(recording, 1)).attempts).toBe(0)
      for (let attempt = 1; attempt <= 3; attempt++)
        expect((await lease(store, two, attempt * 1000))?.attempts).toBe(attempt)
    })

    it('J3 leases jobs with the fewest attempts first', async () => {
      const { store } = await open()
      const hard = await store.add({ ...recording, conferenceSessionId: 1 }, 1)
      await lease(store, one, 10)
      const fresh = await store.add({ ...recording, conferenceSessionId: 2 }, 2)
      expect((await lease(store, two, 1000))?.id).toBe(fresh.id)
      expect((await lease(store, two, 1000, [fresh.id]))?.id).toBe(hard.id)
    })

    it('J4 lets only the holder renew, report progress and finish', async () => {
      const { store } = await open()
      const { id } = await store.add(recording, 1)
      // One after another: a database with several connections has no order of calls at the same time.
      const attempts = async (owner: JobOwner) => [
        await store.renew(id, { owner, nowMs: 20, untilMs: 120 }),
        await store.progress(id, { owner, nowMs: 20, untilMs: 120 }, { active: true }),
        await store.finish(id, owner, done, 20),
      ]
      expect(await attempts(one)).toEqual([null, null, null]) // nobody holds it yet
      await lease(store, one, 10)
      for (const other of [two, stranger]) expect(await attempts(other)).toEqual([null, null, null])
      expect(await store.find(id)).toMatchObject({ state: { is: 'leased', owner: one, untilMs: 110 } })
      expect(await attempts(one)).toEqual([1, 2, 3].map(() => expect.objectContaining({ id })))
    })

    it('J5 keeps the first outcome, and returns it when its owner repeats the call', async () => {
      const { store } = await open()
      const { id } = await store.add(recording, 1)
      await lease(store, one, 10)
      const finished = await store.finish(id, one, done, 20)
      expect(finished).toMatchObject({ id, state: { is: 'done', owner: one, result: { files: 3 } } })
      expect(await store.finish(id, one, { outcome: 'failed', result: {} }, 30)).toEqual(finished)
      expect(await store.finish(id, two, done, 30)).toBeNull()
      expect(await store.renew(id, { owner: one, nowMs: 30, untilMs: 99 })).toBeNull()
      expect(await lease(store, one, 1000)).toBeNull()
      expect(await store.listUnfinished(SESSION)).toEqual([])
    })

    it('J6 creates one job of a kind per session, also for concurrent requests', async () => {
      const { store } = await open()
      const added = await Promise.all(Array.from({ length: 100 }, (_, i) => store.add(recording, i)))
      expect(new Set(ids(added)).size).toBe(1)
      expect(ids(await store.listUnfinished(SESSION))).toEqual([added[0]?.id])
      const others = [
        await store.add({ ...recording, conferenceSessionId: 43 }, 200),
        await store.add({ ...recording, kind: 'transcription' }, 200),
      ]
      expect(new Set(ids([...added, ...others])).size).toBe(3)
    })

    it('J6 creates another job when the first has ended or is stopping', async () => {
      const { store } = await open()
      const first = await store.add(recording, 1)
      await lease(store, one, 10)
      expect((await store.add(recording, 15)).id).toBe(first.id)
      await store.stop(first.id, 20)
      const second = await store.add(recording, 30)
      expect(second).toMatchObject({ state: { is: 'queued' }, stopRequested: false })
      await lease(store, two, 40)
      await store.finish(second.id, two, done, 50)
      expect(new Set([first.id, second.id, (await store.add(recording, 60)).id]).size).toBe(3)
    })

    it('J7 cancels queued jobs, and requests leased ones to stop', async () => {
      const { store } = await open()
      const unbegun = await store.add({ ...recording, conferenceSessionId: 1 }, 1)
      expect(await store.stop(unbegun.id, 10)).toBe(true)
      expect(await store.find(unbegun.id)).toMatchObject({ state: { is: 'cancelled' } })
      expect(await lease(store, one, 20)).toBeNull()

      const begun = await store.add(recording, 1)
      await lease(store, one, 20)
      expect([await store.stop(begun.id, 30), await store.stop(begun.id, 40)]).toEqual([true, false])
      const renewed = await store.renew(begun.id, { owner: one, nowMs: 50, untilMs: 150 })
      expect(renewed).toMatchObject({ stopRequested: true, state: { is: 'leased' } })
      expect(await lease(store, two, 1000)).toMatchObject({ id: begun.id, stopRequested: true }) // it is still to be finished
      expect(await store.finish(begun.id, two, done, 1010)).toMatchObject({ state: { is: 'done' } })
      expect(await store.stop('job_none', 1)).toBe(false)
    })

    it('J5 removes jobs that ended before a time, and no unfinished ones', async () => {
      const { store } = await open()
      const ended = await store.add({ ...recording, conferenceSessionId: 1 }, 1)
      await lease(store, one, 10)
      await store.finish(ended.id, one, done, 20)
      const cancelled = await store.add({ ...recording, conferenceSessionId: 2 }, 1)
      await store.stop(cancelled.id, 30)
      const waiting = await store.add({ ...recording, conferenceSessionId: 3 }, 1)
      const left = async () =>
        ids(
          await Promise.all([ended, cancelled, waiting].map(({ id }) => store.find(id))).then(jobs =>
            jobs.filter(job => job !== null),
          ),
        )
      await store.sweep(20)
      expect(await left()).toEqual([ended.id, cancelled.id, waiting.id])
      await store.sweep(21)
      expect(await left()).toEqual([cancelled.id, waiting.id])
      await store.sweep(1_000)
      expect(await left()).toEqual([waiting.id])
    })

    it('J8 keeps everything when it is opened again', async () => {
      const { store, reopen } = await open()
      const { id } = await store.add(recording, 1)
      await lease(store, one, 10)
      const progress = { active: true, details: { tracks: 2 } }
      await store.progress(id, { owner: one, nowMs: 20, untilMs: 120 }, progress)
      const again = await reopen()
      expect(await again.find(id)).toEqual({
        ...recording,
        id,
        createdAtMs: 1,
        attempts: 1,
        stopRequested: false,
        details: { tracks: 2 },
        state: { is: 'leased', owner: one, untilMs: 120, active: true },
      })
      expect((await again.add(recording, 30)).id).toBe(id)
      expect(await again.renew(id, { owner: one, nowMs: 40, untilMs: 140 })).not.toBeNull()
    })

    it('J8 leases a restarted worker its own job first, inactive and with the details', async () => {
      const { store } = await open()
      const own = await store.add({ ...recording, conferenceSessionId: 1 }, 1)
      await lease(store, one, 10)
      const progress = { active: true, details: { tracks: 2 } }
      await store.progress(own.id, { owner: one, nowMs: 20, untilMs: 120 }, progress)
      const other = await store.add({ ...recording, conferenceSessionId: 2 }, 2)
      expect(await lease(store, one, 30)).toMatchObject({
        id: own.id,
        attempts: 2,
        details: { tracks: 2 },
        state: { active: false },
      })
      expect(await lease(store, one, 40, [own.id])).toMatchObject({ id: other.id })
      expect(await lease(store, one, 50, [own.id, other.id])).toBeNull()
    })

    it('lists the workers of all servers, and when they were active last', async () => {
      const { store, reopen } = await open()
      const active = { kind: 'recording', userId: 7, activeAtMs: 50, languages: [], officeAtMs: 0 } as const
      await store.recordWorker(active)
      await (await reopen()).recordWorker({ ...active, activeAtMs: 40 })
      await store.recordWorker({ ...active, kind: 'transcription', activeAtMs: 10 })
      expect(await (await reopen()).listWorkers(20)).toEqual([active])
      await store.sweep(51)
      expect(await store.listWorkers(0)).toEqual([])
    })

    it('keeps the languages of a transcriber while it announces none', async () => {
      const { store } = await open()
      const languages = ['de', 'en-US'] as const
      const worker = { kind: 'transcription', userId: 7, activeAtMs: 10, languages, officeAtMs: 0 } as const
      await store.recordWorker(worker)
      await store.recordWorker({ ...worker, activeAtMs: 20, languages: [] })
      expect(await store.listWorkers(0)).toEqual([{ ...worker, activeAtMs: 20 }])
      await store.recordWorker({ ...worker, activeAtMs: 30, languages: ['fr'] })
      expect(await store.listWorkers(0)).toMatchObject([{ languages: ['fr'] }])
    })

    it('keeps when a converter of an account converted office documents last', async () => {
      const { store } = await open()
      const worker = { kind: 'conversion', userId: 7, languages: [] } as const
      await store.recordWorker({ ...worker, activeAtMs: 10, officeAtMs: 10 })
      await store.recordWorker({ ...worker, activeAtMs: 20, officeAtMs: 0 })
      expect(await store.listWorkers(0)).toEqual([{ ...worker, activeAtMs: 20, officeAtMs: 10 }])
    })

    it('J26 lets the conversions of conferences take turns, however many one of them brings', async () => {
      const { store } = await open()
      const queue = (id: string, conferenceTag: string, atMs: number) =>
        store.addWithId(id, { ...recording, kind: 'conversion', params: {}, conferenceTag }, atMs)
      for (let i = 1; i <= 4; i++) await queue(`job_a${i}`, 'a', i)
      const leased: (string | undefined)[] = []
      const lease = async () => {
        const wanted = { kind: 'conversion', holding: leased.map(String), expiredAtMs: 0 } as const
        leased.push((await store.lease(wanted, { owner: one, nowMs: 10, untilMs: 9e9 }))?.id)
      }
      await lease()
      for (let i = 1; i <= 2; i++) await queue(`job_b${i}`, 'b', 10 + i)
      await queue('job_c1', 'c', 20)
      for (let i = 0; i < 6; i++) await lease()
      expect(leased).toEqual(['job_a1', 'job_b1', 'job_c1', 'job_a2', 'job_b2', 'job_a3', 'job_a4'])
      // An hour later nothing counts any more.
      await queue('job_b3', 'b', 3_700_000)
      await queue('job_a5', 'a', 3_700_001)
      for (let i = 0; i < 2; i++) await lease()
      expect(leased.slice(7)).toEqual(['job_b3', 'job_a5'])
    })

    it('J24 leases a conversion of another format to a worker that converts it only', async () => {
      const { store } = await open()
      const office = await store.add({ ...recording, kind: 'conversion', params: { format: 'office' } }, 1)
      const request = async (formats?: string[]) =>
        store.lease(
          { kind: 'conversion', holding: [], expiredAtMs: 0, formats },
          { owner: one, nowMs: 10, untilMs: 110 },
        )
      expect(await request()).toBeNull()
      expect(await request(['office'])).toMatchObject({ id: office.id })
    })

    it('leases a transcription to a worker that recognises its language', async () => {
      const { store } = await open()
      const holding: string[] = []
      const request = async (languages?: string[]) => {
        const wanted = { kind: 'transcription', holding, expiredAtMs: 0, languages } as const
        const job = await store.lease(wanted, { owner: one, nowMs: 10, untilMs: 110 })
        if (job) holding.push(job.id)
        return job?.id ?? null
      }
      const queue = (conferenceSessionId: number, params: NewJob['params']) =>
        store.add({ ...recording, kind: 'transcription', conferenceSessionId, params }, 1)
      const german = await queue(901, { language: 'DE' })
      const british = await queue(902, { language: 'en-GB' })
      expect(await request(['fr', 'en-US', 'd'])).toBeNull()
      expect(await request(['de-AT'])).toBe(german.id)
      expect(await request(['fr', 'en'])).toBe(british.id)
      const any = await queue(903, {})
      expect(await request(['fr'])).toBe(any.id)
      const other = await queue(904, { language: 'xx' })
      expect(await request()).toBe(other.id)
    })

    it('lists the jobs of a session, and those that an account holds', async () => {
      const { store } = await open()
      const added = [
        await store.add({ ...recording, conferenceSessionId: 1 }, 1),
        await store.add({ ...recording, conferenceSessionId: 2 }, 2),
      ]
      await lease(store, stranger, 10)
      expect(ids(await store.listUnfinished({ sessionId: 2 }))).toEqual([added[1]?.id])
      expect(ids(await store.listUnfinished({ heldBy: stranger.userId }))).toEqual([added[0]?.id])
      expect(await store.listUnfinished({ heldBy: one.userId })).toEqual([])
      expect((await store.countUnfinished()).sort((a, b) => a.state.localeCompare(b.state))).toEqual([
        { kind: 'recording', state: 'leased', count: 1 },
        { kind: 'recording', state: 'queued', count: 1 },
      ])
    })

    it('J7 schedules the jobs of the sessions of an owner, and of those that have ended', async () => {
      const { store, sessions } = await open()
      const [kept, ended] = [await sessions.findOrOpen('a', 1), await sessions.findOrOpen('b', 1)]
      await store.add({ ...recording, ...isOf(kept) }, 1)
      await store.add({ ...recording, ...isOf(ended) }, 2)
      const read = async (owner: string | null) =>
        (await store.listScheduled(owner)).map(job => [job.conferenceSessionId, job.isSessionOpen])
      expect(await read('local')).toEqual([
        [kept.sessionId, true],
        [ended.sessionId, true],
      ])
      await sessions.end(localLease(ended), 5, 'ended')
      expect(await read('local')).toEqual([
        [kept.sessionId, true],
        [ended.sessionId, false],
      ])
      for (const owner of ['another', null]) expect(await read(owner)).toEqual([[ended.sessionId, false]])
    })

    it('J12 reports whether the holder was active since the session was restored', async () => {
      const { store, sessions } = await open()
      const session = await sessions.findOrOpen('a', 1)
      const { id } = await store.add({ ...recording, ...isOf(session) }, 1)
      await lease(store, one, 10)
      const held = { owner: one, nowMs: 20, untilMs: 120 }
      const isConfirmed = async () => (await store.listScheduled('local')).map(job => job.isConfirmed)
      expect(await isConfirmed()).toEqual([false])
      await store.progress(id, held, { active: true })
      expect(await isConfirmed()).toEqual([true])
      await sessions.resumeOpen()
      expect(await isConfirmed()).toEqual([false])
      await store.renew(id, held)
      expect(await isConfirmed()).toEqual([true])
    })

    it('X9 continues an interrupted job with another one, once', async () => {
      const { store, sessions } = await open()
      const session = await sessions.findOrOpen('a', 1)
      const { id } = await store.add({ ...recording, ...isOf(session) }, 1)
      await lease(store, one, 10)
      const finish = () => store.finish(id, one, { ...done, isInterrupted: true }, 20)
      expect(await finish()).toMatchObject({ id, state: { is: 'done' } })
      expect(await finish()).toMatchObject({ id, state: { is: 'done' } })
      const [next, ...more] = await store.listUnfinished(session)
      expect(more).toEqual([])
      expect(next).toMatchObject({
        ...recording,
        ...isOf(session),
        state: { is: 'queued' },
        attempts: 1,
        details: {},
      })
      expect(next?.id).not.toBe(id)
    })

    it('X9 continues no job that was requested to stop, and none of a session that has ended', async () => {
      const { store, sessions } = await open()
      const [stopped, over] = [await sessions.findOrOpen('a', 1), await sessions.findOrOpen('b', 1)]
      for (const session of [stopped, over]) {
        const { id } = await store.add({ ...recording, ...isOf(session) }, 1)
        await lease(store, one, 10, ids(await store.listUnfinished({ heldBy: one.userId })))
        if (session === stopped) await store.stop(id, 15)
        else await sessions.end(localLease(over), 15, 'ended')
        expect(await store.finish(id, one, { ...done, isInterrupted: true }, 20)).toMatchObject({ id })
        expect(await store.listUnfinished(session)).toEqual([])
      }
    })

    it('J2 offers jobs that expired before a time, and always the own job', async () => {
      const { store } = await open()
      await store.add(recording, 1)
      await lease(store, one, 10)
      const request = { kind: 'recording', holding: [], expiredAtMs: 0 } as const
      expect(await store.lease(request, { owner: two, nowMs: 500, untilMs: 600 })).toBeNull()
      expect(await store.lease(request, { owner: one, nowMs: 500, untilMs: 600 })).toMatchObject({
        attempts: 2,
      })
    })

    it('J12 keeps the details when progress reports none', async () => {
      const { store } = await open()
      const { id } = await store.add(recording, 1)
      await lease(store, one, 10)
      const held = { owner: one, nowMs: 20, untilMs: 120 }
      await store.progress(id, held, { active: true, details: { tracks: 2 } })
      expect(await store.progress(id, held, { active: false })).toMatchObject({
        details: { tracks: 2 },
        state: { active: false, untilMs: 120 },
      })
    })
  })
}

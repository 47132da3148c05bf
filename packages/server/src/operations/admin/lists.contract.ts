import { describe, expect, it } from 'vitest'
import type { NewDelivery } from '../../partners/ports.ts'
import type { PartnerLists } from '../../partners/stores/administration.ts'
import type { DeliveryStore } from '../../partners/stores/deliveries.ts'
import type { RoomStore } from '../../partners/stores/rooms.ts'
import type { WebhookStore } from '../../partners/stores/webhooks.ts'
import type { JobStore } from '../../records/stores/jobs.ts'
import type { RecordingStore } from '../../records/stores/recordings.ts'
import type { AdministrationLists } from '../stores/administration.ts'
import type { SampleStore } from '../stores/samples.ts'
import type { Sample } from './ports.ts'

/** The contract of every `AdministrationLists`. Each call of `open` returns empty stores. */
export function describeAdministrationLists(
  open: () => Promise<{ lists: AdministrationLists; jobs: JobStore; recordings: RecordingStore }>,
) {
  describe('lists of administrators', () => {
    it('lists pages of jobs, newest first, by kind and state', async () => {
      const { lists, jobs } = await open()
      const ids: string[] = []
      for (let i = 0; i < 5; i++) {
        const kind = i % 2 ? ('transcription' as const) : ('recording' as const)
        const session = { conferenceSessionId: i, conferenceTag: `room-${i}` }
        // Two of the same time: their ids decide.
        ids.push((await jobs.add({ kind, scope: 'manual', ...session, params: {} }, 1000 + (i >> 1))).id)
      }
      const newest = await lists.jobs({}, { limit: 9 })
      expect(newest.map(({ created_at_ms }) => created_at_ms)).toEqual([1002, 1001, 1001, 1000, 1000])
      expect(newest[0]).toMatchObject({ job_id: ids[4], kind: 'recording', state: 'queued', attempts: 0 })
      const listed: string[] = []
      for (let last: (typeof newest)[number] | undefined, page = newest; page.length > 0; ) {
        page = await lists.jobs(
          {},
          { limit: 2, ...(last && { before: { at: last.created_at_ms, id: last.job_id } }) },
        )
        listed.push(...page.map(({ job_id }) => job_id))
        last = page.at(-1)
      }
      expect(listed).toEqual(newest.map(({ job_id }) => job_id))
      expect(await lists.jobs({ kind: 'transcription' }, { limit: 9 })).toHaveLength(2)
      const owner = { userId: 7, workerId: 'w-1' }
      const job = await jobs.lease(
        { kind: 'recording', holding: [], expiredAtMs: 2000 },
        { owner, nowMs: 2000, untilMs: 3000 },
      )
      expect(await lists.jobs({ state: 'leased' }, { limit: 9 })).toMatchObject([
        { job_id: job?.id, worker_id: 'w-1', lease_until_ms: 3000, failure: null },
      ])
      const end = { outcome: 'failed' as const, result: { reason: 'no_space' } }
      await jobs.finish(job?.id ?? '', owner, end, 2500)
      expect(await lists.findJob(job?.id ?? '')).toMatchObject({
        state: 'failed',
        failure: 'no_space',
        lease_until_ms: null,
      })
      expect(await lists.findJob('none')).toBeNull()
    })

    it('lists pages of recordings, newest first, of one conference or of all, and counts them', async () => {
      const { lists, recordings } = await open()
      for (let i = 0; i < 4; i++)
        await recordings.add({
          jobId: `job-${i}`,
          ownerId: null,
          conferenceTag: i === 3 ? 'other' : 'room',
          conferenceSessionId: 1,
          profile: 'p',
          status: 'completed',
          startedAtMs: 1,
          endedAtMs: 2,
          durationMs: 1,
          outputDir: '',
          files: [],
          artifact: {},
          indexedAt: 1,
        })
      const first = await lists.recordings({}, { limit: 2 })
      expect(first.map(({ jobId }) => jobId)).toEqual(['job-3', 'job-2'])
      const rest = await lists.recordings({}, { limit: 9, before: first[1]?.rowId })
      expect(rest.map(({ jobId }) => jobId)).toEqual(['job-1', 'job-0'])
      expect(await lists.recordings({ conferenceTags: ['other'] }, { limit: 9 })).toHaveLength(1)
      expect(await lists.counts()).toEqual({ files: 0, bytes: 0, uploads: 0, recordings: 4, transcripts: 0 })
    })
  })
}

/** The contract of every `PartnerLists`. Each call of `open` returns empty stores. */
export function describePartnerLists(
  open: () => Promise<{
    lists: PartnerLists
    rooms: RoomStore
    webhooks: WebhookStore
    deliveries: DeliveryStore
  }>,
) {
  describe('lists of the partner module for administrators', () => {
    it('lists pages of rooms, newest first, by status and part of title, external_id or tag', async () => {
      const { lists, rooms } = await open()
      const person = { displayName: '', externalId: null, link: { version: 1, name: '' } }
      const add = (externalId: string, title: string, status: 'scheduled' | 'closed' = 'scheduled') =>
        rooms.findOrAdd(
          {
            clientId: 1,
            externalId,
            tag: `tag-${externalId}`,
            title,
            description: null,
            startsAt: null,
            endsAt: null,
            status,
            people: { teacher: person, student: person },
            settings: {},
            board: 'keep',
          },
          1,
        )
      await add('lesson-1', 'Алгебра')
      const { room: two } = await add('lesson-2', 'Geometry', 'closed')
      await add('lesson-3', '100% art')
      const ids = async (...parameters: Parameters<PartnerLists['rooms']>) =>
        (await lists.rooms(...parameters)).map(({ externalId }) => externalId)
      expect(await ids({}, { limit: 2 })).toEqual(['lesson-3', 'lesson-2'])
      expect(await ids({}, { limit: 2, before: two.roomId })).toEqual(['lesson-1'])
      expect(await ids({ status: 'closed' }, { limit: 9 })).toEqual(['lesson-2'])
      expect(await ids({ search: 'АЛГ' }, { limit: 9 })).toEqual(['lesson-1'])
      expect(await ids({ search: 'TAG-LESSON-2' }, { limit: 9 })).toEqual(['lesson-2'])
      expect(await ids({ search: '0%' }, { limit: 9 })).toEqual(['lesson-3'])
      expect(await ids({ search: '%', status: 'closed' }, { limit: 9 })).toEqual([])
    })

    it('lists pages of deliveries without their bodies, newest first, by status', async () => {
      const { lists, deliveries, webhooks } = await open()
      const webhook = {
        url: 'https://partner.example/hook',
        secret: 'a secret of some length',
        enabled: true,
      }
      await webhooks.save({ serviceAccount: 'school', ...webhook, events: ['recording.ready'] }, 1)
      const delivery = (id: string): NewDelivery => ({
        id,
        serviceAccount: 'school',
        event: 'recording.ready',
        subject: `recording:${id}`,
        body: '{"secret":"text"}',
      })
      await deliveries.add(['wh_a', 'wh_b', 'wh_c'].map(delivery), 5_000_000)
      await deliveries.add([delivery('wh_d')], 6_000_000)
      const first = await lists.deliveries({}, { limit: 2 })
      expect(first.map(({ id }) => id)).toEqual(['wh_d', 'wh_c'])
      expect(JSON.stringify(first)).not.toContain('secret')
      const rest = await lists.deliveries({}, { limit: 9, before: { at: 5000, id: 'wh_c' } })
      expect(rest.map(({ id }) => id)).toEqual(['wh_b', 'wh_a'])
      expect(await lists.deliveries({ status: 'failed' }, { limit: 9 })).toEqual([])
      expect(await lists.deliveries({ status: 'pending' }, { limit: 9 })).toHaveLength(4)
    })
  })
}

/** The contract of every `SampleStore`. Each call of `open` returns an empty store. */
export function describeSampleStore(open: () => Promise<SampleStore>) {
  const sample = (at_ms: number, sessions = 1): Sample => ({
    at_ms,
    sessions,
    participants: 2,
    connections: 3,
    cpu_percent: 12.5,
    media_cpu_percent: 0,
    memory_bytes: 2 ** 33,
    event_loop_delay_ms: 0.1,
    requests: 4,
    request_failures: 0,
    jobs: 1,
    incoming_bps: null,
    outgoing_bps: 1.5e9,
    packet_loss_percent: null,
  })

  describe('sample store', () => {
    it('keeps the samples of servers apart', async () => {
      const store = await open()
      await store.add('a', sample(60_000, 1), 0)
      await store.add('b', sample(60_000, 2), 0)
      expect([...(await store.list(0))]).toEqual([
        ['a', [sample(60_000, 1)]],
        ['b', [sample(60_000, 2)]],
      ])
    })

    it('returns what was added in order of time, replaces a minute, and removes what is too old (CHART-1)', async () => {
      const store = await open()
      await store.add('', sample(120_000), 0)
      await store.add('', sample(60_000), 0)
      await store.add('', sample(120_000, 9), 0)
      expect((await store.list(0)).get('')).toEqual([sample(60_000), sample(120_000, 9)])
      expect((await store.list(60_001)).get('')).toEqual([sample(120_000, 9)])
      await store.add('', sample(180_000), 120_000)
      expect((await store.list(0)).get('')?.map(({ at_ms }) => at_ms)).toEqual([120_000, 180_000])
    })
  })
}

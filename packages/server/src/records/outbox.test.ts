import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Integration } from '../hooks.ts'
import { Deliveries } from '../partners/webhooks/deliveries.ts'
import { openPartners, type TestPartners } from '../partners/webhooks/testing/partners.ts'
import { steadyClock } from '../platform/clock.ts'
import { openMainStore } from '../platform/db/open.ts'
import type { MainSchema } from '../platform/db/schema.ts'
import type { Store } from '../platform/db/store.ts'
import { createLog } from '../platform/log.ts'
import { Outbox } from './outbox.ts'
import type { Recording, Transcript } from './ports.ts'
import { recordingStore } from './stores/recordings.ts'
import { transcriptStore } from './stores/transcripts.ts'

let main: Store<MainSchema>
let partners: TestPartners
let lines: string[]
beforeEach(async () => {
  main = await openMainStore(':memory:')
  partners = await openPartners()
  await partners.add('school', 1, { url: 'https://partner.example/hook' })
  lines = []
})
afterEach(async () => {
  await main.close()
  await partners.close()
})

const recording = (jobId: string, conferenceTag = 'room-1'): Recording => ({
  jobId,
  ownerId: 1,
  conferenceTag,
  conferenceSessionId: 7,
  profile: 'raw_tracks_v1',
  status: 'completed',
  startedAtMs: 1000,
  endedAtMs: 3000,
  durationMs: 2000,
  outputDir: '/var/jobs/1',
  files: [{ path: 'report.json', blobId: 'b_1', size: 2, contentType: 'application/json', sha256: 'ab' }],
  artifact: { secret: 'inner affairs' },
  indexedAt: 4,
})

const segment = {
  seq: 1,
  at: 2000,
  speaker: { client_id: 5, device_id: 1, name: 'Анна' },
  text: 'Да',
  partial: false,
}
const transcript = (jobId: string): Transcript => ({
  jobId,
  conferenceTag: 'room-1',
  conferenceSessionId: 7,
  status: 'completed',
  language: 'ru',
  engine: 'vosk',
  startedAtMs: 1000,
  endedAtMs: 3000,
  reason: 'stopped',
  text: 'Да',
  segments: [segment],
  indexedAt: 4,
})

const emitter = (): Integration['notifyPartner'] => {
  const { rooms, webhooks, deliveries, clock } = partners
  const log = createLog('silent')
  const queue = new Deliveries({ rooms, webhooks, deliveries, allowInsecure: true, clock, log })
  return async (tag, event) => {
    await queue.emit(tag, event)
    return true
  }
}

const withdraw = (subject: string) => partners.deliveries.removeSubjects([subject])

const open = (notifyPartner = emitter(), monotonicMs?: () => number) => {
  const recordings = recordingStore(main.db)
  const transcripts = transcriptStore(main.db)
  const { rooms, clock } = partners
  const ownerOf = async (tag: string) => (await rooms.findByTag(tag))?.clientId ?? null
  const log = createLog('error', { write: line => void lines.push(line) })
  return {
    recordings,
    transcripts,
    outbox: new Outbox({
      recordings,
      transcripts,
      notifyPartner,
      withdraw,
      ownerOf,
      clock,
      monotonicMs: monotonicMs ?? clock,
      log,
    }),
  }
}

const bodies = async () => {
  const list = await partners.deliveries.list({ limit: 1000 })
  const found = await Promise.all(list.map(({ id }) => partners.deliveries.find(id)))
  return found.map(each => JSON.parse(each?.body ?? ''))
}

describe('Outbox', () => {
  it('notifies of each recording once, with the fields of docs/webhooks.md#recordingready', async () => {
    const { outbox, recordings } = open()
    await recordings.add(recording('job_1'))
    await Promise.all([outbox.poll(), outbox.poll()])
    await outbox.poll()
    expect(await bodies()).toEqual([
      {
        id: expect.stringMatching(/^wh_/),
        type: 'recording.ready',
        created_at: expect.stringMatching(/Z$/),
        data: {
          room: { external_id: 'lesson-1', tag: 'room-1' },
          recording: {
            id: 'job_1',
            job_id: 'job_1',
            conference_tag: 'room-1',
            conference_session_id: 7,
            profile: 'raw_tracks_v1',
            status: 'completed',
            started_at_ms: 1000,
            ended_at_ms: 3000,
            duration_ms: 2000,
            report_blob_id: 'b_1',
            report_url: '/api/storage/blobs/b_1',
            manifest_blob_id: '',
            manifest_url: '',
            files: [
              {
                path: 'report.json',
                blob_id: 'b_1',
                url: '/api/storage/blobs/b_1',
                size: 2,
                content_type: 'application/json',
                sha256: 'ab',
                scope: 'recording:room-1',
              },
            ],
          },
        },
      },
    ])
  })

  it('notifies of a transcript with its full text (rule EVENT-5)', async () => {
    const { outbox, transcripts } = open()
    await transcripts.add(transcript('job_2'))
    await outbox.poll()
    expect((await bodies())[0].data).toEqual({
      room: { external_id: 'lesson-1', tag: 'room-1' },
      transcription: {
        id: 'job_2',
        job_id: 'job_2',
        conference_tag: 'room-1',
        conference_session_id: 7,
        status: 'completed',
        language: 'ru',
        started_at_ms: 1000,
        ended_at_ms: 3000,
        reason: 'stopped',
        text: 'Да',
        segments: [segment],
      },
    })
  })

  it('notifies of more records than one batch', async () => {
    const { outbox, recordings, transcripts } = open()
    for (let i = 0; i < 45; i++) await recordings.add(recording(`job_${i}`))
    for (let i = 0; i < 45; i++) await transcripts.add(transcript(`run_${i}`))
    await outbox.poll()
    expect(await bodies()).toHaveLength(90)
    expect([await recordings.listUnnotified(9), await transcripts.listUnnotified(9)]).toEqual([[], []])
  })

  it('creates no second delivery after a kill between delivery and mark (rule RETRY-2)', async () => {
    const { outbox, recordings } = open()
    await recordings.add(recording('job_1'))
    recordings.markNotified = async () => {
      throw new Error('killed')
    }
    await outbox.poll()
    const again = open() // the next process
    expect(await again.recordings.listUnnotified(9)).toHaveLength(1)
    await again.outbox.poll()
    expect(await again.recordings.listUnnotified(9)).toEqual([])
    expect(await bodies()).toHaveLength(1)
  })

  it('leaves no delivery of a record that is deleted between the reading and the delivery', async () => {
    const emit = emitter()
    const { outbox, transcripts } = open(async (tag, event) => {
      if (event.subject === 'transcription:job_1') {
        await main.db.deleteFrom('transcripts').where('job_id', '=', 'job_1').execute()
        await partners.deliveries.removeSubjects([event.subject])
      }
      return emit(tag, event)
    })
    for (const job of ['job_1', 'job_2']) await transcripts.add(transcript(job))
    await outbox.poll()
    expect((await partners.deliveries.list({ limit: 9 })).map(({ subject }) => subject)).toEqual([
      'transcription:job_2',
    ])
  })

  it('logs a failure and retries later', async () => {
    const real = emitter()
    let isBroken = true
    const { outbox, recordings } = open(async (tag, event) => {
      if (isBroken) throw new Error('disk full')
      return real(tag, event)
    })
    await recordings.add(recording('job_1'))
    await outbox.poll()
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      msg: 'partners could not be notified of a record: retried in seconds',
    })
    isBroken = false
    await outbox.tick()
    expect(await bodies()).toEqual([])
    partners.pass(5_000)
    await outbox.tick()
    expect(await bodies()).toHaveLength(1)
  })

  it('polls every 30 s for records that another server stored', async () => {
    const { outbox, recordings } = open()
    await outbox.poll()
    await recordings.add(recording('job_1'))
    partners.pass(29_999)
    await outbox.tick()
    expect(await bodies()).toEqual([])
    partners.pass(1)
    await outbox.tick()
    expect(await bodies()).toHaveLength(1)
  })

  it('polls after 30 s also when the clock was set back', async () => {
    const { outbox, recordings } = open(emitter(), steadyClock(partners.clock))
    await outbox.poll()
    await recordings.add(recording('job_1'))
    partners.pass(-3_600_000)
    await outbox.tick()
    partners.pass(30_000)
    await outbox.tick()
    expect(await bodies()).toHaveLength(1)
  })

  it('retains events while the partner module is disabled (EVENT-2)', async () => {
    const off = open(async () => false)
    await off.recordings.add(recording('job_1'))
    await off.transcripts.add(transcript('job_2'))
    await off.outbox.poll()
    partners.pass(60_000)
    await off.outbox.tick()
    expect(lines).toEqual([])
    await open().outbox.poll()
    expect(await bodies()).toHaveLength(2)
  })

  it('gives records of rooms that were stored while the partner module was disabled their owner', async () => {
    const { outbox, recordings } = open()
    await recordings.add({ ...recording('job_1'), ownerId: null })
    await recordings.add({ ...recording('job_2', 'aaaa-bbbbb-cccc'), ownerId: null })
    expect(await recordings.list(9, 1)).toEqual([])
    await outbox.poll()
    expect(await recordings.list(9, 1)).toEqual([recording('job_1')])
    expect((await recordings.find('job_2'))?.ownerId).toBeNull()
  })

  it('marks records of ordinary conferences without a delivery', async () => {
    const { outbox, recordings } = open()
    await recordings.add(recording('job_1', 'aaaa-bbbbb-cccc'))
    await outbox.poll()
    expect(await bodies()).toEqual([])
    expect(await recordings.listUnnotified(9)).toEqual([])
  })
})

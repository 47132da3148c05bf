import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AudioLevel } from './ports.ts'
import { updateQuality } from './quality.ts'
import { RoomRouter } from './room-router.ts'
import { RoomSpeakers } from './room-speakers.ts'
import type { Member, RoomState, TrackPublication } from './room-state.ts'
import { SpeakerDetector } from './speaker-detector.ts'
import { eventually, SfuTestHarness } from './testing/harness.ts'
import { TestMicrophone } from './testing/microphone.ts'
import { LocalSource } from './track-source.ts'

let harness: SfuTestHarness
let roomRouter: RoomRouter
let anna: TestMicrophone
let ben: TestMicrophone
const active: (string | null)[] = []
let levels: AudioLevel[] = []

beforeAll(async () => {
  harness = await SfuTestHarness.open()
  roomRouter = await RoomRouter.create(await harness.sfu.workers.pick())
  const speakers = await SpeakerDetector.create(roomRouter.router, {
    activeSpeaker: participantId => active.push(participantId),
    audioLevels: reported => {
      levels = reported
    },
  })
  anna = await TestMicrophone.create(roomRouter.router)
  ben = await TestMicrophone.create(roomRouter.router)
  await speakers.add(anna.producer, 'anna')
  await speakers.add(ben.producer, 'ben')
})
afterAll(async () => {
  anna.close()
  await harness.sfu.stop()
})

describe('SpeakerDetector', () => {
  it('reports audio levels and the active speaker', async () => {
    anna.isSpeaking = true
    await eventually(() => expect(levels).toMatchObject([{ participantId: 'anna' }]))
    expect(levels[0]?.dBov).toBeLessThan(-14)
    expect(levels[0]?.dBov).toBeGreaterThan(-60)
    await eventually(() => expect(active.at(-1)).toBe('anna'))
  })

  it('repeats the active speaker while they speak', async () => {
    active.length = 0
    await eventually(() => expect(active.slice(0, 2)).toEqual(['anna', 'anna']))
  })

  it('reports a change of speaker, and none during silence', async () => {
    anna.isSpeaking = false
    ben.isSpeaking = true
    await eventually(() => expect(active.at(-1)).toBe('ben'))
    ben.isSpeaking = false
    await eventually(() => expect(active.at(-1)).toBe(null))
    expect(levels).toEqual([])
  })

  it('reports none when the speaker leaves', async () => {
    ben.isSpeaking = true
    await eventually(() => expect(active.at(-1)).toBe('ben'))
    ben.close()
    expect(active.at(-1)).toBe(null)
  })
})

describe('quality', () => {
  it('is ten when all packets arrive, is reported once, and ignores paused publications', async () => {
    const qualities: unknown[] = []
    const member: Member = {
      id: 'anna',
      endpoint: null,
      attempt: null,
      displaySizes: new Map(),
      quality: null,
    }
    const published: TrackPublication = {
      publication: { publicationId: 'mic-1', participantId: 'anna', source: 'microphone', paused: true },
      state: { is: 'active', source: new LocalSource(anna.producer, roomRouter) },
      isAnnounced: true,
    }
    const room: RoomState = {
      sessionId: 1,
      members: new Map([['anna', member]]),
      publications: new Map([['mic-1', published]]),
      speakers: new RoomSpeakers(
        { activeSpeaker: () => {}, audioLevels: () => {} },
        pino({ level: 'silent' }),
      ),
      events: { quality: (...args: unknown[]) => qualities.push(args) } as never, // the only event it emits
      log: pino({ level: 'silent' }),
      republishTimeoutMs: 1,
    }
    await eventually(() => expect(anna.producer.score).toMatchObject([{ score: 10 }]))
    updateQuality(room, member)
    expect(qualities).toEqual([])
    published.publication.paused = false
    updateQuality(room, member)
    updateQuality(room, member)
    expect(qualities).toEqual([[{ sessionId: 1, participantId: 'anna' }, 10]])
  })
})

import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { AudioLevel } from './ports.ts'
import { measure } from './quality.ts'
import type { Member, Published, RoomState } from './room-state.ts'
import { openRoute, type Route } from './route.ts'
import { eventually, SfuTestHarness } from './testing/harness.ts'
import { TestMicrophone } from './testing/microphone.ts'

vi.setConfig({ testTimeout: 30_000 }) // processes come and go here

let harness: SfuTestHarness
let route: Route
let anna: TestMicrophone
let ben: TestMicrophone
const active: (string | null)[] = []
let heard: AudioLevel[] = []

beforeAll(async () => {
  harness = await SfuTestHarness.open()
  route = await openRoute(await harness.sfu.workers.pick(), '1', {
    activeSpeaker: participantId => active.push(participantId),
    audioLevels: levels => {
      heard = levels
    },
  })
  anna = await TestMicrophone.in(route.router)
  ben = await TestMicrophone.in(route.router)
  await route.speakers.add(anna.producer, 'anna')
  await route.speakers.add(ben.producer, 'ben')
})
afterAll(async () => {
  anna.close()
  await harness.sfu.stop()
})

describe('speakers', () => {
  it('are told with how loud they are', async () => {
    anna.speaks = true
    await eventually(() => expect(heard).toMatchObject([{ participantId: 'anna' }]))
    expect(heard[0]?.dBov).toBeLessThan(-14)
    expect(heard[0]?.dBov).toBeGreaterThan(-60)
    await eventually(() => expect(active.at(-1)).toBe('anna'))
  })

  it('are told again as long as they speak, for who comes later', async () => {
    active.length = 0
    await eventually(() => expect(active.slice(0, 2)).toEqual(['anna', 'anna']))
  })

  it('change, and are nobody when all are silent', async () => {
    anna.speaks = false
    ben.speaks = true
    await eventually(() => expect(active.at(-1)).toBe('ben'))
    ben.speaks = false
    await eventually(() => expect(active.at(-1)).toBe(null))
    expect(heard).toEqual([])
  })

  it('are nobody when the speaker goes', async () => {
    ben.speaks = true
    await eventually(() => expect(active.at(-1)).toBe('ben'))
    ben.close()
    expect(active.at(-1)).toBe(null)
  })
})

describe('quality', () => {
  it('is ten when all packets arrive, is told once, and says nothing of what is paused', async () => {
    const qualities: unknown[] = []
    const member: Member = { id: 'anna', endpoint: null, attempt: null, shown: new Map(), quality: null }
    const published: Published = {
      view: { publicationId: 'mic-1', participantId: 'anna', source: 'microphone', paused: true },
      state: { is: 'flowing', producer: anna.producer },
      told: true,
    }
    const room: RoomState = {
      sessionId: 1,
      members: new Map([['anna', member]]),
      publications: new Map([['mic-1', published]]),
      events: { quality: (...told: unknown[]) => qualities.push(told) } as never, // the only one it tells
      log: pino({ level: 'silent' }),
      republishWithinMs: 1,
    }
    await eventually(() => expect(anna.producer.score).toMatchObject([{ score: 10 }]))
    measure(room, member)
    expect(qualities).toEqual([])
    published.view.paused = false
    measure(room, member)
    measure(room, member)
    expect(qualities).toEqual([[{ sessionId: 1, participantId: 'anna' }, 10]])
  })
})

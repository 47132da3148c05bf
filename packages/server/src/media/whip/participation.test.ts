import { beforeEach, describe, expect, it } from 'vitest'
import { type ControlHarness, createHarness, TAG } from '../../control/testing/control-harness.ts'
import { inProcessSockets } from './in-process-socket.ts'
import { Participation, SILENCE_MS } from './participation.ts'

let harness: ControlHarness
let ends: number
let participation: Participation
let passedMs: number
beforeEach(async () => {
  harness = await createHarness()
  ends = 0
  passedMs = 0
  participation = await Participation.open(inProcessSockets(harness.control, '127.0.0.1'), {
    tag: TAG,
    entrant: {
      userId: 1,
      accessToken: 'anna',
      joinToken: null,
      isRevoked: async () => false,
      close: async () => {},
    },
    monotonicMs: () => passedMs,
    onEnd: () => {
      ends += 1
    },
  })
})

const later = (ms: number) => {
  passedMs += ms
  participation.checkSilence()
}
const sessionId = () => Number(participation.joined.conference_session_id)

async function receiveQuality(score: number) {
  harness.streams.sessions.signal(sessionId(), {
    sourceId: participation.joined.participant_id,
    name: 'connection.quality',
    body: { score },
    ttlMs: 10_000,
  })
  await harness.settle()
}

describe('a participant that is controlled over HTTP', () => {
  it('ends after a minute without requests (WHIP-4)', () => {
    later(SILENCE_MS)
    expect(ends).toBe(0)
    later(1)
    later(SILENCE_MS)
    expect(ends).toBe(1)
  })

  it('continues while requests arrive, and ends a minute later', async () => {
    await receiveQuality(9)
    later(10 * SILENCE_MS)
    expect(ends).toBe(0)
    await receiveQuality(0)
    later(SILENCE_MS)
    expect(ends).toBe(0)
    later(1)
    expect(ends).toBe(1)
  })

  it('ends when the media worker of its endpoint has died (WHIP-4)', async () => {
    const { rtc_node_id } = participation.endpoint
    const move = async (route: object) => {
      harness.reports.applyMediaEvent(sessionId(), { name: 'media.moved', body: route as never })
      await harness.settle()
    }
    await move({ rtc_node_id: 'n2', route_generation: '7', rtc_node_ids: ['n2', rtc_node_id] })
    expect(ends).toBe(0)
    await move({ rtc_node_id: 'n2', route_generation: '8' })
    expect(ends).toBe(1)
  })
})

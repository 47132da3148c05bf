import { describe, expect, it } from 'vitest'
import type { AccountEvent } from './account-streams.ts'
import { InMemoryEventBus } from './event-bus.ts'
import type { PublishedEvent, Subscriber } from './stream.ts'
import { WINDOW_EVENTS } from './stream.ts'
import { Streams } from './streams.ts'

function setUp({
  incarnation = 1,
  nowMs = 1_700_000_000_000,
  bus = new InMemoryEventBus<AccountEvent>(),
} = {}) {
  let encodings = 0
  const streams = new Streams({
    bus,
    encoder: {
      event: (_, { seq, name }) => {
        encodings += 1
        return `${seq} ${name}`
      },
      signal: (_, { seq, name }) => `${seq} ${name}`,
    },
    sessions: { incarnation: id => (id === 1 ? incarnation : null), state: () => ({}) },
    clock: () => nowMs,
  })
  return { streams, encodings: () => encodings }
}

class Recorder implements Subscriber {
  readonly events: string[] = []
  readonly signals: string[] = []
  readonly messages: string[] = []
  detachedAt: number | null = null
  onEvent = ({ encoded }: PublishedEvent) => void this.events.push(encoded)
  onSignal = (encoded: string) => void this.signals.push(encoded)
  onMessage = (encoded: string) => void this.messages.push(encoded)
  onDetached = (_: unknown, until: number) => {
    this.detachedAt = until
  }
}

const LOCKED = { name: 'conference.locked', body: { locked: true }, version: 1 } as const
const ANNA = { id: 7, displayName: 'Anna' }

describe('the streams of sessions', () => {
  it('Q2 number events from 1 and encode each once for all subscribers', () => {
    const { streams, encodings } = setUp()
    const [one, other] = [new Recorder(), new Recorder()]
    const stream = streams.sessions.open(1)
    stream.subscribers.set('a', one)
    stream.subscribers.set('b', other)
    streams.publish(1, LOCKED)
    streams.publish(1, LOCKED)
    expect([one.events, other.events]).toEqual([
      ['1 conference.locked', '2 conference.locked'],
      ['1 conference.locked', '2 conference.locked'],
    ])
    expect(encodings()).toBe(2)
  })

  it('Q3 have the epoch of their incarnation, whatever the clock says', () => {
    const epoch = (incarnation: number, nowMs: number) =>
      BigInt(setUp({ incarnation, nowMs }).streams.sessions.open(1).epoch)
    expect(epoch(2, 1_000)).toBeGreaterThan(epoch(1, 1_700_000_000_000))
    expect(epoch(1, 1_000)).toBe(epoch(1, 2_000))
    // Greater than the clock, from which earlier versions took epochs.
    expect(epoch(1, 0)).toBeGreaterThan(BigInt(Date.UTC(2100, 0)))
  })

  it('Y4 replay what is in the window, and nothing else', () => {
    const { streams } = setUp()
    for (let i = 0; i < WINDOW_EVENTS + 2; i++) streams.publish(1, LOCKED)
    const stream = streams.sessions.open(1)
    expect(stream.since(1)).toBeNull()
    expect(stream.since(2)).toHaveLength(WINDOW_EVENTS)
    expect(stream.since(WINDOW_EVENTS, WINDOW_EVENTS + 1)).toEqual([`${WINDOW_EVENTS + 1} conference.locked`])
    expect(stream.since(WINDOW_EVENTS + 3)).toBeNull()
  })

  it('Q6 end for one subscriber or for all, with the last event that it received', () => {
    const { streams } = setUp()
    const [one, other] = [new Recorder(), new Recorder()]
    const stream = streams.sessions.open(1)
    stream.subscribers.set('a', one)
    stream.subscribers.set('b', other)
    streams.publish(1, LOCKED)
    streams.detach(1, 'a')
    streams.publish(1, LOCKED)
    streams.close(1)
    expect([one.detachedAt, other.detachedAt]).toEqual([1, 2])
    expect(streams.size).toBe(0)
  })

  it('exist only for sessions that this server runs', () => {
    const { streams } = setUp()
    streams.publish(2, LOCKED)
    expect(streams.size).toBe(0)
    expect(() => streams.sessions.open(2)).toThrow('Session 2 is not open on this server.')
  })

  it('send signals to all but their sender, and messages to one subscriber', () => {
    const { streams } = setUp()
    const [one, other] = [new Recorder(), new Recorder()]
    const stream = streams.sessions.open(1)
    stream.subscribers.set('a', one)
    stream.subscribers.set('b', other)
    streams.sessions.signal(1, { sourceId: 'a', name: 'chat.typing', body: {}, ttlMs: 1 }, 'a')
    streams.sessions.send(1, 'a', 'an offer')
    expect([one.signals, other.signals]).toEqual([[], ['1 chat.typing']])
    expect([one.messages, other.messages]).toEqual([['an offer'], []])
  })
})

describe('the streams of accounts', () => {
  it('Q1 receive the events of their account that any server publishes on the bus', () => {
    const bus = new InMemoryEventBus<AccountEvent>()
    const [here, there] = [setUp({ bus }), setUp({ bus })]
    const [one, other] = [new Recorder(), new Recorder()]
    here.streams.accounts.open(ANNA).subscribers.set('a', one)
    there.streams.accounts.open(ANNA).subscribers.set('b', other)
    here.streams.accounts.publish(7, { name: 'job.available', body: { kind: 'recording' } })
    here.streams.accounts.publish(8, { name: 'job.available', body: { kind: 'recording' } })
    expect([one.events, other.events]).toEqual([['1 job.available'], ['1 job.available']])
  })

  it('receive account.changed once for each new name', () => {
    const { streams } = setUp()
    const anna = new Recorder()
    const stream = streams.accounts.open(ANNA)
    stream.subscribers.set('a', anna)
    streams.accounts.publishName(ANNA)
    streams.accounts.publishName({ id: 7, displayName: 'Anne' })
    streams.accounts.open({ id: 7, displayName: 'Anne' })
    expect(anna.events).toEqual(['1 account.changed'])
    expect(stream.state()).toEqual({ user_id: '7', display_name: 'Anne' })
  })

  it('Q3 have a greater epoch each time, even if the clock stands still', () => {
    const { streams } = setUp()
    const first = streams.accounts.open(ANNA)
    streams.unsubscribe(first, 'a')
    expect(streams.size).toBe(0)
    expect(Number(streams.accounts.open(ANNA).epoch)).toBeGreaterThan(Number(first.epoch))
  })
})

import { describe, expect, it } from 'vitest'
import { InMemoryEventBus } from './event-bus.ts'

describe('the event bus in memory', () => {
  it('delivers an event to every subscriber of its topic, before publish returns', () => {
    const bus = new InMemoryEventBus<string>()
    const received: string[] = []
    bus.subscribe('account.1', event => received.push(`a ${event}`))
    bus.subscribe('account.1', event => received.push(`b ${event}`))
    bus.subscribe('account.2', event => received.push(`c ${event}`))
    bus.publish('account.1', 'one')
    bus.publish('account.3', 'nobody')
    expect(received).toEqual(['a one', 'b one'])
  })

  it('ends one subscription and leaves the others, also of the same handler', () => {
    const bus = new InMemoryEventBus<number>()
    const received: number[] = []
    const handler = (event: number) => received.push(event)
    const unsubscribe = bus.subscribe('t', handler)
    bus.subscribe('t', handler)
    unsubscribe()
    unsubscribe()
    bus.publish('t', 1)
    expect(received).toEqual([1])
  })
})

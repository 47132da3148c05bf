import { describe, expect, it } from 'vitest'
import { NatsEventBus } from './nats-event-bus.ts'
import { useNetworks } from './testing/use-networks.ts'
import { waitFor } from './testing.ts'

describe('the event bus of a cluster', () => {
  const { networks } = useNetworks()
  const open = async (self: string, name = 'accounts') =>
    new NatsEventBus<string>(await networks.open(self), { self, name })

  it('BUS-1 delivers each event once, synchronously on this server and soon on the others', async () => {
    const [a, b] = await Promise.all([open('a'), open('b')])
    const received: string[] = []
    a.subscribe('account.1', event => received.push(`a ${event}`))
    b.subscribe('account.1', event => received.push(`b1 ${event}`))
    b.subscribe('account.1', event => received.push(`b2 ${event}`))
    await networks.settle()
    a.publish('account.1', 'one')
    expect(received).toEqual(['a one'])
    await waitFor(() => received.length === 3)
    b.publish('account.1', 'two')
    await waitFor(() => received.length === 6)
    a.publish('account.2', 'nobody')
    a.publish('account.1', 'end')
    await waitFor(() => received.includes('b2 end'))
    expect(received.filter(each => each.endsWith('two')).sort()).toEqual(['a two', 'b1 two', 'b2 two'])
    expect(received.filter(each => each.startsWith('a'))).toEqual(['a one', 'a two', 'a end'])
  })

  it('BUS-2 ends one subscription and leaves the others', async () => {
    const [a, b] = await Promise.all([open('a'), open('b')])
    const received: string[] = []
    const handler = (event: string) => received.push(event)
    const unsubscribe = b.subscribe('t', handler)
    b.subscribe('t', handler)
    b.subscribe('end', handler)
    await networks.settle()
    unsubscribe()
    unsubscribe()
    a.publish('t', 'one')
    a.publish('end', 'end')
    await waitFor(() => received.includes('end'))
    expect(received).toEqual(['one', 'end'])
  })

  it('BUS-3 keeps buses with other names apart', async () => {
    const [a, b, c] = await Promise.all([open('a'), open('b', 'chat'), open('c')])
    const received: string[] = []
    b.subscribe('t', event => received.push(`chat ${event}`))
    c.subscribe('t', event => received.push(`accounts ${event}`))
    await networks.settle()
    a.publish('t', 'one')
    await waitFor(() => received.length > 0)
    expect(received).toEqual(['accounts one'])
  })
})

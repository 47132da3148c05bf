import { describe, expect, it } from 'vitest'
import { useNetworks } from '../testing/use-networks.ts'
import { waitFor } from '../testing.ts'
import { NatsEventBus } from './nats-event-bus.ts'

describe('the event bus of a cluster', () => {
  const { networks } = useNetworks()
  const open = async (self: string, name = 'accounts', canSendLists = true) =>
    new NatsEventBus<string>(await networks.open(self), { self, name, canSendLists: () => canSendLists })
  const topics = (count: number) => Array.from({ length: count }, (_, i) => `account.${i}`)

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

  it.each([
    ['a few topics', 3, true, 3],
    ['many topics', 500, true, 1],
    ['more topics than a message may have', 12_000, true, 3],
    ['many topics, while a server does not understand lists', 500, false, 500],
  ])('BUS-4 delivers an event for %s once to each', async (_, count, canSendLists, messages) => {
    const [a, b] = await Promise.all([open('a', 'accounts', canSendLists), open('b')])
    const observer = await networks.open('observer')
    const subjects: string[] = []
    for (const subject of ['events.accounts.account.*', 'event_lists.accounts'])
      observer.subscribe(subject, (_message, about) => subjects.push(about.subject))
    const received: string[] = []
    for (const topic of [...topics(count), 'account.other']) {
      a.subscribe(topic, event => received.push(`a ${topic} ${event}`))
      b.subscribe(topic, event => received.push(`b ${topic} ${event}`))
    }
    await networks.settle()
    a.publishToMany(topics(count), 'one')
    expect(received).toEqual(topics(count).map(topic => `a ${topic} one`))
    await waitFor(() => received.length === 2 * count && subjects.length === messages)
    a.publish('account.other', 'end')
    await waitFor(() => received.includes('b account.other end') && subjects.length === messages + 1)
    const ofB = received.filter(each => each.startsWith('b'))
    expect(ofB).toEqual([...topics(count).map(topic => `b ${topic} one`), 'b account.other end'])
  })
})

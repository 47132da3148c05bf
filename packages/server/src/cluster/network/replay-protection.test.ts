import { connect, type NatsConnection } from '@nats-io/transport-node'
import { describe, expect, it } from 'vitest'
import { useNetworks } from '../testing/use-networks.ts'
import { envelopeOf, signed, waitFor } from '../testing.ts'
import { ReplayProtection } from './replay-protection.ts'
import { UnnumberedSenders } from './unnumbered-senders.ts'

describe('NET-11 messages that are repeated', () => {
  const { networks, nats, closeAfterTest } = useNetworks()

  /** Somebody who reaches NATS and has no secret. */
  async function eavesdrop() {
    const raw = await connect({ servers: nats().url })
    closeAfterTest(() => void raw.close())
    const recorded: { subject: string; data: string; body: unknown }[] = []
    raw.subscribe('test.>', {
      callback: (_, message) =>
        void recorded.push({
          subject: message.subject,
          data: message.string(),
          body: envelopeOf(message).body,
        }),
    })
    await raw.flush()
    const find = async (body: unknown) => {
      await waitFor(() => recorded.some(each => each.body === body))
      return recorded.find(each => each.body === body) as { subject: string; data: string }
    }
    return { raw, find }
  }

  it('are refused, counted and logged once', async () => {
    const lines: string[] = []
    const { raw, find } = await eavesdrop()
    const [a, b] = await Promise.all([networks.open('a'), networks.open('b', { lines })])
    const received: unknown[] = []
    b.subscribe('news', message => received.push(message))
    b.subscribe('other', message => received.push(message))
    await networks.settle()
    a.publish('news', 'once')
    const { subject, data } = await find('once')
    a.publish('news', 'second')
    await find('second')
    for (let i = 0; i < 3; i++) raw.publish(subject, data)
    raw.publish('test.other', data)
    await raw.flush()
    a.publish('news', 'last')
    await waitFor(() => received.includes('last'))
    expect(received).toEqual(['once', 'second', 'last'])
    expect(b.repeated).toBe(3)
    expect(lines.filter(line => line.includes('somebody may repeat messages'))).toHaveLength(1)
    expect(b.strangers).toEqual(['a']) // what was sent to another subject
  })

  it('are refused by the sender, too, and each of its subscriptions gets a message once', async () => {
    const { raw, find } = await eavesdrop()
    const a = await networks.open('a')
    const received: unknown[] = []
    a.subscribe('news.*', message => received.push(['one', message]))
    a.subscribe('news.>', message => received.push(['other', message]))
    await networks.settle()
    a.publish('news.x', 1)
    const { subject, data } = await find(1)
    raw.publish(subject, data)
    await raw.flush()
    a.publish('news.x', 2)
    await waitFor(() => received.length >= 4)
    expect(received.sort()).toEqual(['one', 'other'].flatMap(name => [1, 2].map(body => [name, body])))
  })

  it('are refused by a receiver that has started since, whether the sender runs or not', async () => {
    const { raw, find } = await eavesdrop()
    const a = await networks.open('a')
    const gone = await networks.open('gone')
    a.publish('news', 'of a')
    gone.publish('news', 'of one that is gone')
    const recorded = [await find('of a'), await find('of one that is gone')]
    await gone.stop()
    const restarted = await networks.open('restarted')
    const received: unknown[] = []
    restarted.subscribe('news', message => received.push(message))
    const repeat = async () => {
      for (const { subject, data } of recorded) raw.publish(subject, data)
      await raw.flush()
    }
    await networks.settle([restarted])
    await repeat() // before they know each other
    await networks.settle([a, restarted])
    await repeat() // afterwards
    a.publish('news', 'new')
    await waitFor(() => received.length > 0)
    expect(received).toEqual(['new'])
  })

  it('run a request once, also one that is answered to somebody else', async () => {
    const { raw, find } = await eavesdrop()
    const [a, b] = await Promise.all([networks.open('a'), networks.open('b')])
    let runs = 0
    b.serve('end', () => ++runs)
    await networks.settle([b])
    // The first message of a to b.
    expect(await a.request('end', 'the lesson', 10_000)).toBe(1)
    const { subject, data } = await find('the lesson')
    raw.publish(subject, data, { reply: 'test.inbox.else' })
    await raw.flush()
    expect(await a.request('end', 'another lesson', 10_000)).toBe(2)
  })

  it('are no answers to other requests', async () => {
    const a = await networks.open('a')
    const raw = await connect({ servers: nats().url })
    closeAfterTest(() => void raw.close())
    const answer = (re?: number) => JSON.stringify({ v: 1, from: 'b', re, body: 'answer' })
    raw.subscribe('test.ask.*', {
      callback: (_, message) => {
        const { seq } = envelopeOf(message)
        const re = { right: seq, other: seq - 1, earlier: undefined }[message.subject.split('.')[2] as string]
        message.respond(signed((message.reply as string).slice('test.'.length), answer(re)))
      },
    })
    await raw.flush()
    expect(await a.request('ask.right', 1, 10_000)).toBe('answer')
    expect(await a.request('ask.earlier', 1, 10_000)).toBe('answer')
    expect(await a.request('ask.other', 1, 10_000).catch(error => error.failure)).toBe('failed')
  })

  /** A server of an earlier version, which numbers nothing. */
  function runOldServer(raw: NatsConnection, id: string) {
    raw.subscribe(`test.server.${id}.do.>`, {
      callback: (_, message) =>
        void message.respond(
          signed(
            (message.reply as string).slice('test.'.length),
            JSON.stringify({ v: 1, from: id, error: { code: 'unsupported' } }),
          ),
        ),
    })
    const send = (subject: string, body: unknown, reply?: string) =>
      raw.publish(`test.${subject}`, signed(subject, JSON.stringify({ v: 1, from: id, body })), { reply })
    return { send }
  }

  it('without numbers are those of earlier versions, which lose nothing as long as they run', async () => {
    const a = await networks.open('a')
    const received: unknown[] = []
    a.subscribe('news', message => received.push(message))
    a.serve('ask', message => received.push(message))
    await networks.settle()
    const raw = await connect({ servers: nats().url })
    closeAfterTest(() => void raw.close())
    const old = runOldServer(raw, 'old')
    const recorded = { v: 1, from: 'gone', body: 'of one that is gone' }
    raw.publish('test.news', signed('news', JSON.stringify(recorded)))
    for (let i = 0; i < 5; i++) old.send('news', i)
    old.send('ask', 'asked', 'test.inbox.x')
    old.send('news', 'last')
    await waitFor(() => received.includes('last'))
    expect(received).toEqual([0, 1, 2, 3, 4, 'asked', 'last'])
  })
})

describe('NET-11 an unknown sender', () => {
  const protect = () => {
    const asked: { id: string; nonce: string }[] = []
    const received: number[] = []
    const protection = new ReplayProtection({
      self: 'self',
      ask: (id, nonce) => asked.push({ id, nonce }),
      onReplay: () => {},
    })
    const admit = (seq: number, isRequest = false, from = 'a') =>
      protection.admit({ from, seq, isRequest, receiver: asked, deliver: () => void received.push(seq) })
    return { protection, asked, received, admit }
  }

  it('has its requests run once, when it confirms them with the nonce', () => {
    const { protection, asked, received, admit } = protect()
    for (const seq of [6, 7, 7, 8]) admit(seq, true)
    expect(asked).toHaveLength(1)
    const { nonce } = asked[0] as { nonce: string }
    expect(protection.receive('a', { nonce: 'another', seq: 9, pending: [6, 7, 8] })).toBe(false)
    expect(received).toEqual([])
    expect(protection.receive('a', { nonce, seq: 9, pending: [7, 8] })).toBe(true)
    expect(received).toEqual([7, 8])
    expect(protection.receive('a', { nonce, seq: 1, pending: [] })).toBe(false)
    for (const seq of [7, 8, 9]) admit(seq, true)
    expect(received).toEqual([7, 8])
    admit(10, true)
    expect(received).toEqual([7, 8, 10])
  })

  it('that asks is asked first, and repeated questions are not answered', () => {
    const { protection, asked } = protect()
    protection.next()
    expect(protection.answer({ from: 'a', seq: 3 }, 'its nonce')).toEqual({
      nonce: 'its nonce',
      seq: 1,
      pending: [],
    })
    protection.receive('a', { nonce: asked[0]?.nonce as string, seq: 3, pending: [] })
    expect(protection.answer({ from: 'a', seq: 3 }, 'its nonce')).toBeNull()
    expect(protection.answer({ from: 'a', seq: 4 }, 'another')).toMatchObject({ nonce: 'another' })
  })

  it('is asked again when it was silent for longest among many: the memory is bounded', () => {
    const { protection, asked, received, admit } = protect()
    for (let i = 0; i < 10_001; i++) {
      admit(1, false, `sender-${i}`)
      protection.receive(`sender-${i}`, { nonce: asked.at(-1)?.nonce as string, seq: 1, pending: [] })
      admit(i + 2, false, 'sender-0') // never silent
    }
    expect(received).toHaveLength(10_001)
    asked.splice(0)
    admit(2, false, 'sender-10000')
    admit(2, false, 'sender-1')
    expect(asked.map(({ id }) => id)).toEqual(['sender-1'])
  })
})

it('NET-11 takes messages without numbers only while their sender answers', async () => {
  let nowMs = 0
  let isRunning = true
  const received: number[] = []
  const answer = async () => {
    if (!isRunning) throw new Error('nobody serves it')
    return { from: 'old' }
  }
  const senders = new UnnumberedSenders(answer, () => nowMs)
  const admit = (message: number) => senders.admit('old', () => void received.push(message))
  admit(1)
  admit(2)
  await waitFor(() => received.length === 2)
  admit(3)
  expect(received).toEqual([1, 2, 3])
  nowMs = 6_000
  admit(4) // asks again meanwhile
  expect(received).toEqual([1, 2, 3, 4])
  await new Promise(setImmediate)
  isRunning = false
  nowMs = 15_000
  admit(5)
  await new Promise(setImmediate)
  nowMs = 17_000
  admit(6)
  await new Promise(setImmediate)
  expect(received).toEqual([1, 2, 3, 4, 5])
})

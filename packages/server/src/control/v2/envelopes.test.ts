import { describe, expect, it } from 'vitest'
import { Stream, type StreamSubject } from '../streams/stream.ts'
import { envelopeEncoder } from './envelopes.ts'

const streamOf = (id: string, subject: StreamSubject) =>
  new Stream({
    id,
    epoch: '7',
    subject,
    encoder: envelopeEncoder,
    state: () => null,
    window: { events: 9, characters: 999 },
  })

describe('the text of an event', () => {
  const anna = streamOf('account:1', { kind: 'account', id: '1' })
  const ben = streamOf('account:2', { kind: 'account', id: '2' })
  const decode = (stream: Stream, seq: number, body: object) =>
    JSON.parse(`{${envelopeEncoder.event(stream, { seq, name: 'message.added', body, version: '12' })}`)

  it('has the fields of its stream, even if its body was encoded for another stream before', () => {
    const [one, other] = [{ text: 'quo"te \\ 😀' }, { text: 'other' }]
    for (const [stream, id, seq, body] of [
      [anna, '1', 1, one],
      [ben, '2', 1, one],
      [ben, '2', 2, other],
      [anna, '1', 2, one],
      [anna, '1', 3, other],
    ] as const)
      expect(decode(stream, seq, body)).toEqual({
        event_id: `account:${id}:7:${seq}`,
        stream_id: `account:${id}`,
        stream_epoch: '7',
        seq: String(seq),
        aggregate: { kind: 'account', id },
        aggregate_version: '12',
        name: 'message.added',
        body,
      })
  })
})

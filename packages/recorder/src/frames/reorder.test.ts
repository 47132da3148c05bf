import { expect, it } from 'vitest'
import { RtpHeader, RtpPacket } from 'werift-rtp'
import { Reorder } from './reorder.ts'

const rtp = (sequenceNumber: number) =>
  new RtpPacket(
    new RtpHeader({ sequenceNumber, timestamp: 1, payloadType: 96, ssrc: 1 }),
    Buffer.from('x'),
  ).serialize()

const order = (sent: [sequence: number, atMs: number][], untilMs = 10_000) => {
  const reorder = new Reorder()
  for (const [sequence, atMs] of sent) reorder.add(rtp(sequence), atMs)
  const taken = reorder.take(untilMs)
  return { reorder, taken: taken.map(({ packet, lostBefore }) => [packet.sequenceNumber, lostBefore]) }
}

it('orders packets across the sequence number wrap', () => {
  const { taken } = order([
    [65_534, 1],
    [0, 2],
    [65_535, 3],
    [1, 4],
  ])
  expect(taken).toEqual([
    [65_534, 0],
    [65_535, 0],
    [0, 0],
    [1, 0],
  ])
})

it('counts lost packets', () => {
  const { reorder, taken } = order([
    [10, 1],
    [13, 2],
    [14, 3],
  ])
  expect(taken).toEqual([
    [10, 0],
    [13, 2],
    [14, 0],
  ])
  expect(reorder.lost).toBe(2)
})

it('counts duplicates and late packets', () => {
  const { reorder } = order([
    [10, 1],
    [10, 2],
    [12, 3],
  ])
  reorder.add(rtp(11), 20_000)
  expect(reorder).toMatchObject({ repeated: 1, late: 1, lost: 1 })
})

it('holds packets back while earlier ones may still arrive', () => {
  expect(
    order(
      [
        [10, 100],
        [12, 200],
      ],
      150,
    ).taken,
  ).toEqual([[10, 0]])
})

it('rejects bytes that are not RTP', () => {
  const reorder = new Reorder()
  for (const bytes of [Buffer.alloc(0), Buffer.from([0x80]), Buffer.alloc(12, 0xff)]) {
    expect(() => reorder.add(bytes, 1)).not.toThrow()
  }
})

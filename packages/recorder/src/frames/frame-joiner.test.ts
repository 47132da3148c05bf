import { expect, it } from 'vitest'
import { FrameJoiner } from './frame-joiner.ts'

const MIB = 1024 * 1024

it('keeps no more of a frame than any camera sends, and finds the next one', () => {
  const joiner = new FrameJoiner(payloads => ({ data: Buffer.concat(payloads), isKey: true }))
  const packet = (timestamp: number, bytes: number, marker: boolean) =>
    joiner.add({ sequenceNumber: 0, payloadType: 96, timestamp, marker, payload: Buffer.alloc(bytes) }, 0)
  for (const [timestamp, count, bytes] of [
    [1, 40, MIB],
    [2, 40_000, 1],
  ] as const) {
    for (let sent = 0; sent < count; sent++) expect(packet(timestamp, bytes, false)).toEqual([])
    const [last] = packet(timestamp, 1, true)
    expect(last?.data.length ?? 0).toBeLessThan(Math.min(17 * MIB, 20_000 * bytes))
    expect(packet(timestamp + 10, 10, true)).toMatchObject([{ data: { length: 10 } }])
  }
  expect(joiner.broken).toBe(4)
})

import { expect, it } from 'vitest'
import { FrameJoiner } from './frame-joiner.ts'

const MIB = 1024 * 1024

it('keeps no more of a frame than any camera sends, and finds the next one', () => {
  const joiner = new FrameJoiner(payloads => ({ data: Buffer.concat(payloads), isKey: true }))
  const packet = (timestamp: number, bytes: number, marker: boolean) =>
    joiner.add({ sequenceNumber: 0, payloadType: 96, timestamp, marker, payload: Buffer.alloc(bytes) }, 0)
  for (let sent = 0; sent < 40; sent++) expect(packet(1, MIB, false)).toEqual([])
  const [last] = packet(1, 1, true)
  expect(last?.data.length ?? 0).toBeLessThan(17 * MIB)
  expect(joiner.broken).toBe(2)
  expect(packet(2, 10, true)).toMatchObject([{ data: { length: 10 }, timestamp: 2 }])
})

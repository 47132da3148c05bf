import { expect, it } from 'vitest'
import { decodeBlocks, encodeBlock, encodeRecord, type TrackHead, type TrackRecord } from './records.ts'

const head: TrackHead = {
  ...{
    publicationId: 'p',
    participantId: '42.1.1',
    source: 'camera',
    kind: 'video',
    ssrc: 7,
    isPaused: false,
  },
  codec: { mimeType: 'video/VP8', payloadType: 96, clockRate: 90_000, parameters: {} },
}
const records: TrackRecord[] = [
  { is: 'begin', atMs: 1_795_000_000_000.25, head },
  { is: 'packet', atMs: 1, rtp: Buffer.from('some bytes') },
  { is: 'report', atMs: 2, rtpTimestamp: 0xffff_ffff, sentAtMs: 1.5 },
  { is: 'paused', atMs: 3, isPaused: true },
  { is: 'unwritten', atMs: 4, packets: 12 },
  { is: 'ended', atMs: 5 },
]
const block = encodeBlock(records.map(encodeRecord))

it('decodes what was encoded', () => {
  expect(decodeBlocks(block)).toEqual({ records, length: block.length })
})

it('ignores a block truncated at any byte', () => {
  for (let length = 0; length < block.length; length++) {
    const torn = Buffer.concat([block, block.subarray(0, length)])
    expect(decodeBlocks(torn)).toMatchObject({ length: block.length })
  }
})

it('stops at a corrupt block', () => {
  for (let at = 0; at < block.length; at++) {
    const damaged = Buffer.from(block)
    damaged[at] = (damaged[at] ?? 0) ^ 0x40
    expect(decodeBlocks(damaged).records).toEqual([])
  }
})

it('reads a block that overwrote a failed one', () => {
  const two = Buffer.concat([block, block])
  expect(decodeBlocks(two).records).toHaveLength(2 * records.length)
})

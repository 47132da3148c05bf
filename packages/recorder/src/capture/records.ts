import { crc32 } from 'node:zlib'
import type { IncomingTrack } from '@lectern/worker-kit'

/** Metadata of a track. */
export type TrackHead = Pick<
  IncomingTrack,
  'publicationId' | 'participantId' | 'source' | 'kind' | 'codec' | 'ssrc' | 'isPaused'
>

/** A journal record. Times are Unix milliseconds. */
export type TrackRecord =
  | { is: 'begin'; atMs: number; head: TrackHead }
  | { is: 'packet'; atMs: number; rtp: Buffer }
  /** RTP time `rtpTimestamp` was sent at `sentAtMs`, by the clock shared by all tracks. */
  | { is: 'report'; atMs: number; rtpTimestamp: number; sentAtMs: number }
  | { is: 'paused'; atMs: number; isPaused: boolean }
  | { is: 'ended'; atMs: number }
  /** This many packets were not written because the disk was full. */
  | { is: 'unwritten'; atMs: number; packets: number }

const KINDS = ['begin', 'packet', 'report', 'paused', 'ended', 'unwritten'] as const
const RECORD_HEAD = 11 // kind, moment, length
const BLOCK_HEAD = 8 // length, CRC-32

/** A larger length means corruption. */
const BLOCK_MAX = 64 * 1024 * 1024

/** A checksum makes incomplete blocks detectable. */
export function encodeBlock(records: Buffer[]): Buffer {
  const block = Buffer.concat([Buffer.alloc(BLOCK_HEAD), ...records])
  block.writeUInt32BE(block.length - BLOCK_HEAD, 0)
  block.writeUInt32BE(crc32(block.subarray(BLOCK_HEAD)), 4)
  return block
}

/** Returns the records of all complete blocks and their total length. Later bytes are incomplete. */
export function decodeBlocks(bytes: Buffer): { records: TrackRecord[]; length: number } {
  const records: TrackRecord[] = []
  let at = 0
  while (at + BLOCK_HEAD <= bytes.length) {
    const length = bytes.readUInt32BE(at)
    const end = at + BLOCK_HEAD + length
    if (length > BLOCK_MAX || end > bytes.length) break
    const payload = bytes.subarray(at + BLOCK_HEAD, end)
    if (crc32(payload) !== bytes.readUInt32BE(at + 4)) break
    decodeRecords(payload, records)
    at = end
  }
  return { records, length: at }
}

export function encodeRecord(record: TrackRecord): Buffer {
  const body = encodeBody(record)
  const encoded = Buffer.allocUnsafe(RECORD_HEAD + body.length) // of the pool: there are thousands
  encoded.writeUInt8(KINDS.indexOf(record.is), 0)
  encoded.writeDoubleBE(record.atMs, 1)
  encoded.writeUInt16BE(body.length, 9)
  encoded.set(body, RECORD_HEAD)
  return encoded
}

function encodeBody(record: TrackRecord): Buffer {
  switch (record.is) {
    case 'packet':
      return record.rtp
    case 'report': {
      const body = Buffer.alloc(12)
      body.writeUInt32BE(record.rtpTimestamp, 0)
      body.writeDoubleBE(record.sentAtMs, 4)
      return body
    }
    case 'begin':
      return Buffer.from(JSON.stringify(record.head))
    case 'paused':
      return Buffer.from([record.isPaused ? 1 : 0])
    case 'unwritten': {
      const body = Buffer.alloc(4)
      body.writeUInt32BE(record.packets)
      return body
    }
    case 'ended':
      return Buffer.alloc(0)
  }
}

function decodeRecords(payload: Buffer, into: TrackRecord[]) {
  for (let at = 0; at < payload.length; ) {
    const kind = KINDS[payload.readUInt8(at)]
    const atMs = payload.readDoubleBE(at + 1)
    const length = payload.readUInt16BE(at + 9)
    const body = payload.subarray(at + RECORD_HEAD, at + RECORD_HEAD + length)
    at += RECORD_HEAD + length
    // Unknown records of other versions are skipped.
    if (kind !== undefined) into.push(decodeBody(kind, atMs, body))
  }
}

function decodeBody(kind: TrackRecord['is'], atMs: number, body: Buffer): TrackRecord {
  switch (kind) {
    case 'packet':
      return { is: kind, atMs, rtp: body }
    case 'report':
      return { is: kind, atMs, rtpTimestamp: body.readUInt32BE(0), sentAtMs: body.readDoubleBE(4) }
    case 'begin':
      return { is: kind, atMs, head: JSON.parse(body.toString()) as TrackHead }
    case 'paused':
      return { is: kind, atMs, isPaused: body[0] === 1 }
    case 'unwritten':
      return { is: kind, atMs, packets: body.readUInt32BE(0) }
    case 'ended':
      return { is: kind, atMs }
  }
}

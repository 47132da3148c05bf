import { randomInt } from 'node:crypto'

export type Kind = 'audio' | 'video'

interface Codec {
  payloadType: number
  /** The name in SDP. */
  name: string
  clockRate: number
  channels?: number
  packetsPerSecond: number
  /** Bytes of the RTP payload. */
  bytes: number
}

/** The published media: about 1 Mbit/s of video, and audio. */
export const CODECS: Record<Kind, Codec> = {
  audio: { payloadType: 111, name: 'opus', clockRate: 48_000, channels: 2, packetsPerSecond: 50, bytes: 80 },
  video: { payloadType: 96, name: 'VP8', clockRate: 90_000, packetsPerSecond: 100, bytes: 1150 },
}

const HEADER_BYTES = 12
const MARKER = 0x80
const KEY_FRAME_EVERY = 100
const LEVEL_EXTENSION = Buffer.from('bede000110000000', 'hex') // one-byte form, id 1: ssrc-audio-level
const VOICE = 0x80
/** VP8 payload descriptor: the first packet of a frame. Then the frame tag: a keyframe of 640x360, or another frame. */
const KEY_FRAME = Buffer.from('10' + '500000' + '9d012a' + '80026801', 'hex')
const OTHER_FRAME = Buffer.from('10' + '510000', 'hex')

/** Generates the RTP packets of a track. Media servers inspect headers and keyframes, not frame contents. */
export class PacketStream {
  readonly ssrc = randomInt(1, 2 ** 31)
  readonly #kind: Kind
  #sequence = 0

  constructor(kind: Kind) {
    this.#kind = kind
  }

  next(): Buffer {
    const { payloadType, clockRate, packetsPerSecond, bytes } = CODECS[this.#kind]
    const head = this.#kind === 'audio' ? LEVEL_EXTENSION.length : 0
    const packet = Buffer.alloc(HEADER_BYTES + head + bytes)
    const sequence = this.#sequence++
    packet.writeUInt8(this.#kind === 'audio' ? 0x90 : 0x80, 0)
    packet.writeUInt8(this.#kind === 'audio' ? payloadType : MARKER | payloadType, 1)
    packet.writeUInt16BE(sequence & 0xffff, 2)
    packet.writeUInt32BE((sequence * (clockRate / packetsPerSecond)) >>> 0, 4)
    packet.writeUInt32BE(this.ssrc, 8)
    if (this.#kind === 'audio') {
      LEVEL_EXTENSION.copy(packet, HEADER_BYTES)
      packet.writeUInt8(VOICE | (sequence % 16 < 12 ? 20 : 70), HEADER_BYTES + 5) // alternates between speech and silence
    } else (sequence % KEY_FRAME_EVERY === 0 ? KEY_FRAME : OTHER_FRAME).copy(packet, HEADER_BYTES)
    return packet
  }
}

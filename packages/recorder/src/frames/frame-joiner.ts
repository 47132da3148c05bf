import type { RtpPacket } from '@lectern/worker-kit'
import type { Depacketize, EncodedFrame } from './frame.ts'

/** Several times a key frame in 4K. A sender may never end a frame, and a recorder has the memory of many recordings. */
const FRAME_BYTES_MAX = 16 * 1024 * 1024
const FRAME_PACKETS_MAX = 16 * 1024

interface PendingFrame {
  timestamp: number
  arrivedAtMs: number
  payloads: Buffer[]
  bytes: number
}

interface JoinedFrame extends EncodedFrame {
  timestamp: number
  arrivedAtMs: number
}

/**
 * Assembles frames from ordered packets. After a loss no frame is emitted until the next key frame, because frames that
 * reference a lost one would decode incorrectly.
 */
export class FrameJoiner {
  #frame: PendingFrame | null = null
  #waitsForKey = true
  /** Frames that were incomplete or depended on incomplete ones. */
  broken = 0
  readonly #depacketize: Depacketize

  constructor(depacketize: Depacketize) {
    this.#depacketize = depacketize
  }

  add(packet: RtpPacket, arrivedAtMs: number): JoinedFrame[] {
    const { timestamp, marker, payload } = packet
    const joined: JoinedFrame[] = []
    if (this.#frame && this.#frame.timestamp !== timestamp) this.#finish(joined)
    this.#frame ??= { timestamp, arrivedAtMs, payloads: [], bytes: 0 }
    this.#frame.payloads.push(payload)
    this.#frame.bytes += payload.length
    if (marker) this.#finish(joined)
    else if (isTooLarge(this.#frame)) this.loss()
    return joined
  }

  /** Packets before the next one were lost. */
  loss() {
    if (this.#frame) this.broken += 1
    this.#frame = null
    this.#waitsForKey = true
  }

  /** The track has ended; a frame without its last packet is dropped. */
  close() {
    this.#frame = null
  }

  #finish(joined: JoinedFrame[]) {
    if (!this.#frame) return
    const { timestamp, arrivedAtMs, payloads } = this.#frame
    this.#frame = null
    const frame = this.#depacketize(payloads)
    if (!frame) this.#waitsForKey = true
    if (frame?.isKey) this.#waitsForKey = false
    if (frame && !this.#waitsForKey) joined.push({ ...frame, timestamp, arrivedAtMs })
    else this.broken += 1
  }
}

const isTooLarge = ({ bytes, payloads }: PendingFrame) =>
  bytes > FRAME_BYTES_MAX || payloads.length > FRAME_PACKETS_MAX

import type { RtpPacket } from 'werift-rtp'
import type { Depacketize, EncodedFrame } from './frame.ts'

interface Picture {
  timestamp: number
  arrivedAtMs: number
  payloads: Buffer[]
}

interface JoinedFrame extends EncodedFrame {
  timestamp: number
  arrivedAtMs: number
}

/**
 * Makes pictures of packets that come in order. After a loss nothing comes out until the next key frame: what
 * refers to a picture that is not there would be shown wrong.
 */
export class FrameJoiner {
  #picture: Picture | null = null
  #waitsForKey = true
  /** Pictures that were not whole, or referred to such. */
  broken = 0

  constructor(private readonly depacketize: Depacketize) {}

  add(packet: RtpPacket, arrivedAtMs: number): JoinedFrame[] {
    const { timestamp, marker } = packet.header
    const joined: JoinedFrame[] = []
    if (this.#picture && this.#picture.timestamp !== timestamp) this.#finish(joined)
    this.#picture ??= { timestamp, arrivedAtMs, payloads: [] }
    this.#picture.payloads.push(packet.payload)
    if (marker) this.#finish(joined)
    return joined
  }

  /** Packets before the next one are missing. */
  loss() {
    if (this.#picture) this.broken += 1
    this.#picture = null
    this.#waitsForKey = true
  }

  #finish(joined: JoinedFrame[]) {
    if (!this.#picture) return
    const { timestamp, arrivedAtMs, payloads } = this.#picture
    this.#picture = null
    const frame = this.depacketize(payloads)
    if (!frame) this.#waitsForKey = true
    if (frame?.isKey) this.#waitsForKey = false
    if (frame && !this.#waitsForKey) joined.push({ ...frame, timestamp, arrivedAtMs })
    else this.broken += 1
  }
}

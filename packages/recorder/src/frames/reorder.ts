import { RtpPacket } from 'werift-rtp'
import { Sequence } from './sequence.ts'

/** A packet with its extended sequence number. */
export interface OrderedPacket {
  packet: RtpPacket
  sequence: number
  arrivedAtMs: number
  /** Packets lost directly before it. */
  lostBefore: number
}

/** A larger jump is a restarted sender, not a loss. */
const RESTART = 3000

/** Reorders packets. Each is held for a while, so that retransmissions can fill gaps. */
export class Reorder {
  readonly #sequence = new Sequence()
  #waiting: Omit<OrderedPacket, 'lostBefore'>[] = []
  #last: number | null = null
  lost = 0
  late = 0
  repeated = 0

  add(rtp: Buffer, arrivedAtMs: number): RtpPacket | null {
    const packet = parse(rtp)
    if (!packet) return null
    const sequence = this.#sequence.extend(packet.header.sequenceNumber)
    if (this.#last !== null && sequence <= this.#last) {
      this.late += 1
      return null
    }
    let place = this.#waiting.length
    while (place > 0 && (this.#waiting[place - 1]?.sequence ?? 0) > sequence) place -= 1
    if (this.#waiting[place - 1]?.sequence === sequence) {
      this.repeated += 1
      return null
    }
    this.#waiting.splice(place, 0, { packet, sequence, arrivedAtMs })
    return packet
  }

  /** Returns packets that arrived until then, in order; gaps between them count as lost. */
  take(untilMs: number): OrderedPacket[] {
    const taken: OrderedPacket[] = []
    let count = 0
    for (const each of this.#waiting) {
      if (each.arrivedAtMs > untilMs) break
      const missing = this.#last === null ? 0 : each.sequence - this.#last - 1
      if (missing < RESTART) this.lost += missing
      this.#last = each.sequence
      taken.push({ ...each, lostBefore: missing })
      count += 1
    }
    this.#waiting = this.#waiting.slice(count)
    return taken
  }
}

/** Null for malformed packets and for padding-only probes. */
function parse(rtp: Buffer): RtpPacket | null {
  try {
    return RtpPacket.deSerialize(rtp)
  } catch {
    return null
  }
}

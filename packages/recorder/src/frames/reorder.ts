import { ReorderBuffer, SequenceExtender } from '@lectern/common'
import { type RtpPacket, readRtp } from '@lectern/worker-kit'

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
  readonly #extender = new SequenceExtender()
  readonly #buffer = new ReorderBuffer<{ packet: RtpPacket; arrivedAtMs: number }>()
  lost = 0
  late = 0
  repeated = 0

  add(rtp: Buffer, arrivedAtMs: number): RtpPacket | null {
    const packet = readRtp(rtp)
    if (!packet) return null
    const sequence = this.#extender.extend(packet.sequenceNumber)
    const result = this.#buffer.add(sequence, { packet, arrivedAtMs })
    if (result === 'added') return packet
    this[result] += 1
    return null
  }

  /** Returns packets that arrived until then, in order; gaps between them count as lost. */
  take(untilMs: number): OrderedPacket[] {
    const taken = this.#buffer.take(({ item }) => item.arrivedAtMs <= untilMs)
    for (const { missingBefore } of taken) if (missingBefore < RESTART) this.lost += missingBefore
    return taken.map(({ item, sequence, missingBefore }) => ({
      ...item,
      sequence,
      lostBefore: missingBefore,
    }))
  }
}

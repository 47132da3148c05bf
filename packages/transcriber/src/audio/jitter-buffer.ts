import { ReorderBuffer, SequenceExtender } from '@lectern/common'
import type { RtpPacket } from '@lectern/worker-kit'

/** A packet that is missing after this many later ones is lost. */
const BUFFERED_MAX = 8
/** A larger jump is a restarted sender, not reordering. */
const JUMP = 3_000

/** Restores the sending order of RTP packets and drops duplicates. */
export class JitterBuffer {
  #extender = new SequenceExtender()
  #buffer = new ReorderBuffer<RtpPacket>()
  /** The sequence number of the next packet. */
  #expected: number | null = null

  /** Returns the packets that are now in order. */
  add(packet: RtpPacket): RtpPacket[] {
    let sequence = this.#extender.extend(packet.sequenceNumber)
    if (Math.abs(sequence - (this.#expected ?? sequence)) > JUMP) {
      this.#restart()
      sequence = this.#extender.extend(packet.sequenceNumber)
    }
    this.#buffer.add(sequence, packet)
    return this.#take((missing, waiting) => missing === 0 || waiting > BUFFERED_MAX)
  }

  /** Returns everything buffered; nothing more is expected. */
  flush(): RtpPacket[] {
    return this.#take(() => true)
  }

  #take(isDue: (missing: number, waiting: number) => boolean): RtpPacket[] {
    const taken = this.#buffer.take(({ missingBefore }, waiting) => isDue(missingBefore, waiting))
    const last = taken.at(-1)
    if (last) this.#expected = last.sequence + 1
    return taken.map(({ item }) => item)
  }

  #restart(): void {
    this.#extender = new SequenceExtender()
    this.#buffer = new ReorderBuffer()
    this.#expected = null
  }
}

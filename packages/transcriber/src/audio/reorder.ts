import type { RtpPacket } from 'werift-rtp'

/** What is not there after so many others have come will not come. */
const HELD_MAX = 8
/** More than any network reorders: the numbering began anew. */
const JUMP = 3_000

/** Brings packets into the order in which they were sent, each once. */
export class Reorder {
  #next: number | null = null
  readonly #held = new Map<number, RtpPacket>()

  /** Those whose turn has come. */
  add(packet: RtpPacket): RtpPacket[] {
    const { sequenceNumber } = packet.header
    const ahead = this.#aheadOf(sequenceNumber)
    if (Math.abs(ahead) > JUMP) this.#begin(sequenceNumber)
    else if (ahead < 0) return []
    this.#held.set(sequenceNumber, packet)
    return this.#take(this.#held.size > HELD_MAX)
  }

  /** All that are held, for nothing more comes. */
  flush(): RtpPacket[] {
    return this.#held.size > 0 ? this.#take(true) : []
  }

  #take(skipsOne: boolean): RtpPacket[] {
    if (skipsOne) this.#next = this.#earliest()
    const taken: RtpPacket[] = []
    for (let packet = this.#pop(); packet; packet = this.#pop()) taken.push(packet)
    return taken
  }

  #pop(): RtpPacket | undefined {
    const number = this.#next as number
    const packet = this.#held.get(number)
    if (!packet) return
    this.#held.delete(number)
    this.#next = (number + 1) & 0xffff
    return packet
  }

  #begin(sequenceNumber: number): void {
    this.#held.clear()
    this.#next = sequenceNumber
  }

  #earliest = () =>
    [...this.#held.keys()].reduce((first, each) =>
      this.#aheadOf(each) < this.#aheadOf(first) ? each : first,
    )

  /** How far after the one whose turn it is; negative for those before. */
  #aheadOf(sequenceNumber: number): number {
    this.#next ??= sequenceNumber
    const distance = (sequenceNumber - this.#next) & 0xffff
    return distance < 0x8000 ? distance : distance - 0x10000
  }
}

import type { RtpPacket } from 'werift-rtp'

/** A packet that is missing after this many later ones is lost. */
const BUFFERED_MAX = 8
/** A larger jump is a restarted sender, not reordering. */
const JUMP = 3_000

/** Restores the sending order of RTP packets and drops duplicates. */
export class ReorderBuffer {
  #next: number | null = null
  readonly #buffered = new Map<number, RtpPacket>()

  /** Returns the packets that are now in order. */
  add(packet: RtpPacket): RtpPacket[] {
    const { sequenceNumber } = packet.header
    const ahead = this.#aheadOf(sequenceNumber)
    if (Math.abs(ahead) > JUMP) this.#restart(sequenceNumber)
    else if (ahead < 0) return []
    this.#buffered.set(sequenceNumber, packet)
    return this.#take(this.#buffered.size > BUFFERED_MAX)
  }

  /** Returns everything buffered; nothing more is expected. */
  flush(): RtpPacket[] {
    return this.#buffered.size > 0 ? this.#take(true) : []
  }

  #take(skipsOne: boolean): RtpPacket[] {
    if (skipsOne) this.#next = this.#earliest()
    const taken: RtpPacket[] = []
    for (let packet = this.#pop(); packet; packet = this.#pop()) taken.push(packet)
    return taken
  }

  #pop(): RtpPacket | undefined {
    const number = this.#next as number
    const packet = this.#buffered.get(number)
    if (!packet) return
    this.#buffered.delete(number)
    this.#next = (number + 1) & 0xffff
    return packet
  }

  #restart(sequenceNumber: number): void {
    this.#buffered.clear()
    this.#next = sequenceNumber
  }

  #earliest = () =>
    [...this.#buffered.keys()].reduce((first, each) =>
      this.#aheadOf(each) < this.#aheadOf(first) ? each : first,
    )

  /** Distance from the next expected number, modulo 2^16; negative for older packets. */
  #aheadOf(sequenceNumber: number): number {
    this.#next ??= sequenceNumber
    const distance = (sequenceNumber - this.#next) & 0xffff
    return distance < 0x8000 ? distance : distance - 0x10000
  }
}

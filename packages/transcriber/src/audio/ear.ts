import { RtpPacket } from 'werift-rtp'
import { Gate } from './gate.ts'
import { OpusAudio } from './opus.ts'
import { Reorder } from './reorder.ts'

/** Nothing for so long: something is held back for a packet that was lost, or nothing is sent. */
const OVERDUE_MS = 200

/** Makes the samples of one speaker from the packets of one track, in real time. */
export class Ear {
  readonly #opus: OpusAudio
  readonly #hear: (samples: Int16Array) => void
  readonly #reorder = new Reorder()
  readonly #gate = new Gate()
  #arrivedAtMs: number | null = null

  private constructor(opus: OpusAudio, hear: (samples: Int16Array) => void) {
    this.#opus = opus
    this.#hear = hear
  }

  static async open(hear: (samples: Int16Array) => void): Promise<Ear> {
    return new Ear(await OpusAudio.open(), hear)
  }

  packet(rtp: Buffer): void {
    this.#arrivedAtMs = performance.now()
    for (const packet of this.#reorder.add(RtpPacket.deSerialize(rtp))) this.#play(this.#opus.decode(packet))
  }

  /** To be called about ten times a second: who sends nothing is silent, and phrases end with silence. */
  tick(): void {
    if (this.#arrivedAtMs === null) return
    const sinceMs = performance.now() - this.#arrivedAtMs
    if (sinceMs < OVERDUE_MS) return
    this.#flush()
    this.#play(this.#opus.fill(sinceMs - OVERDUE_MS))
  }

  close(): void {
    this.#flush()
    this.#opus.close()
  }

  #flush(): void {
    for (const packet of this.#reorder.flush()) this.#play(this.#opus.decode(packet))
  }

  #play(audio: Iterable<Int16Array>): void {
    for (const samples of audio) for (const passed of this.#gate.pass(samples)) this.#hear(passed)
  }
}

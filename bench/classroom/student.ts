import type { Ticket } from '../control/member.ts'
import { joinLectern } from '../media/lectern-participant.ts'
import type { Participant } from '../media/participant.ts'
import { CODECS, type Kind } from '../media/rtp.ts'

const FRAME_MS = 100
const HEADER_BYTES = 12
const MARKER = 0x80
/** One-byte header extension, id 1: the audio level of silence, so that nobody becomes the active speaker. */
const SILENCE = Buffer.from('bede0001107f0000', 'hex')
/** An Opus packet of 20 ms without sound. */
const OPUS_SILENCE = Buffer.from('f8fffe', 'hex')

/** A participant without a browser, whose microphone is silent and whose camera shows a video in a loop. */
export class Student {
  readonly #participant: Participant
  readonly #frames: Buffer[][]
  readonly #sequence: Record<Kind, number> = { audio: 0, video: 0 }
  #frame = 0

  private constructor(participant: Participant, frames: Buffer[][]) {
    this.#participant = participant
    this.#frames = frames
    setInterval(() => this.#send(), FRAME_MS)
  }

  /** Resolves when the server receives both tracks. `frames` are the RTP payloads of each VP8 frame. */
  static async join(url: string, ticket: Ticket, frames: Buffer[][]): Promise<Student> {
    const participant = await joinLectern(url, ticket)
    await participant.publish()
    return new Student(participant, frames)
  }

  #send(): void {
    const { sending } = this.#participant
    if (!sending.isOpen) return
    const frame = this.#frames[this.#frame % this.#frames.length] ?? []
    for (const [index, payload] of frame.entries())
      this.#sendPacket('video', index === frame.length - 1, [payload])
    this.#sendPacket('audio', false, [SILENCE, OPUS_SILENCE])
    this.#frame += 1
  }

  #sendPacket(kind: Kind, isLast: boolean, content: Buffer[]): void {
    const { payloadType, clockRate } = CODECS[kind]
    const header = Buffer.alloc(HEADER_BYTES)
    header.writeUInt8(kind === 'audio' ? 0x90 : 0x80, 0)
    header.writeUInt8((isLast ? MARKER : 0) | payloadType, 1)
    header.writeUInt16BE(this.#sequence[kind]++ & 0xffff, 2)
    header.writeUInt32BE(((this.#frame * FRAME_MS * clockRate) / 1000) >>> 0, 4)
    const { sending } = this.#participant
    header.writeUInt32BE(sending.streams[kind].ssrc, 8)
    sending.sendPacket(kind, Buffer.concat([header, ...content]))
  }
}

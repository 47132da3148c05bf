import type { Ticket } from '../control/member.ts'
import { joinLectern } from '../media/lectern-participant.ts'
import type { Participant } from '../media/participant.ts'
import { CODECS, type Kind } from '../media/rtp.ts'

const HEADER_BYTES = 12
const MARKER = 0x80
/** One-byte header extension, id 1: the audio level of silence, so that nobody becomes the active speaker. */
const SILENCE = Buffer.from('bede0001107f0000', 'hex')
const VOICE = Buffer.from('bede0001109e0000', 'hex')
/** An Opus packet of 20 ms without sound. */
const OPUS_SILENCE = Buffer.from('f8fffe', 'hex')
const OPUS_MS = 20

/** What a student without a browser sends in a loop. */
interface Media {
  /** The RTP payloads of each VP8 frame; without any, the camera sends nothing. */
  frames: Buffer[][]
  /** Opus packets of 20 ms; absent: the microphone is silent. An empty packet is a silent one. */
  speech?: Buffer[]
  /** The time between two frames, a multiple of 20 ms; default: 100 ms. */
  frameMs?: number
}

/** A participant without a browser, whose camera shows a video in a loop. */
export class Student {
  readonly #participant: Participant
  readonly #frames: Buffer[][]
  readonly #speech: Buffer[]
  readonly #frameMs: number
  readonly #sequence: Record<Kind, number> = { audio: 0, video: 0 }
  readonly #timer: NodeJS.Timeout
  #frame = 0

  private constructor(participant: Participant, { frames, speech = [], frameMs = 100 }: Media) {
    this.#participant = participant
    this.#frames = frames
    this.#speech = speech
    this.#frameMs = frameMs
    this.#timer = setInterval(() => this.#send(), frameMs)
  }

  /** Resolves when the server receives both tracks. */
  static async join(url: string, ticket: Ticket, media: Media): Promise<Student> {
    const participant = await joinLectern(url, ticket)
    await participant.publish()
    return new Student(participant, media)
  }

  leave(): void {
    clearInterval(this.#timer)
    this.#participant.close()
  }

  #send(): void {
    if (!this.#participant.sending.isOpen) return
    const frame = this.#frames[this.#frame % this.#frames.length] ?? []
    const fromMs = this.#frame * this.#frameMs
    for (const [index, payload] of frame.entries())
      this.#sendPacket('video', fromMs, index === frame.length - 1, [payload])
    if (this.#speech.length > 0) this.#speak(fromMs)
    else this.#sendPacket('audio', fromMs, false, [SILENCE, OPUS_SILENCE])
    this.#frame += 1
  }

  #speak(fromMs: number): void {
    for (let atMs = fromMs; atMs < fromMs + this.#frameMs; atMs += OPUS_MS) {
      const packet = this.#speech[(atMs / OPUS_MS) % this.#speech.length]
      if (packet?.length) this.#sendPacket('audio', atMs, false, [VOICE, packet])
      else if (atMs === fromMs) this.#sendPacket('audio', atMs, false, [SILENCE, OPUS_SILENCE])
    }
  }

  #sendPacket(kind: Kind, atMs: number, isLast: boolean, content: Buffer[]): void {
    const { payloadType, clockRate } = CODECS[kind]
    const header = Buffer.alloc(HEADER_BYTES)
    header.writeUInt8(kind === 'audio' ? 0x90 : 0x80, 0)
    header.writeUInt8((isLast ? MARKER : 0) | payloadType, 1)
    header.writeUInt16BE(this.#sequence[kind]++ & 0xffff, 2)
    header.writeUInt32BE(((atMs * clockRate) / 1000) >>> 0, 4)
    const { sending } = this.#participant
    header.writeUInt32BE(sending.streams[kind].ssrc, 8)
    try {
      sending.sendPacket(kind, Buffer.concat([header, ...content]))
    } catch {
      // The server has closed the connection meanwhile.
    }
  }
}

import type { IncomingTrack } from '@lectern/worker-kit'
import { TrackDecoder } from '../audio/track-decoder.ts'
import type { RecognitionScheduler } from '../recognition/recognition-scheduler.ts'
import type { DroppedAudio, RecognitionListener } from '../recognition/speaker-stream.ts'

const TICK_MS = 100

/** Transcribes one track from its first packet to its last word. */
export class TrackTranscriber {
  readonly #track: IncomingTrack
  readonly #recognition: RecognitionScheduler
  readonly #listener: RecognitionListener
  readonly #over: Promise<void>
  #end!: () => void

  constructor(track: IncomingTrack, recognition: RecognitionScheduler, listener: RecognitionListener) {
    this.#track = track
    this.#recognition = recognition
    this.#listener = listener
    this.#over = new Promise(resolve => {
      this.#end = resolve
    })
  }

  /** Resolves when the track has ended or stop() was called, and everything received is recognised. */
  async run(): Promise<DroppedAudio> {
    const decoder = await TrackDecoder.open(samples => this.#recognition.push(stream, samples))
    const stream = this.#recognition.open({
      partial: text => this.#listener.partial(text),
      final: (text, isCut) => {
        decoder.phraseEnded()
        this.#listener.final(text, isCut)
      },
      failed: (error, isDropped) => this.#listener.failed(error, isDropped),
    })
    const ticks = setInterval(() => decoder.tick(), TICK_MS)
    this.#track.setListener({
      packet: rtp => decoder.packet(rtp),
      report: () => {},
      paused: () => {}, // no packets arrive then, which counts as silence
      ended: this.#end,
    })
    await this.#over
    clearInterval(ticks)
    decoder.close()
    await this.#recognition.end(stream)
    return stream.dropped
  }

  /** Stops receiving. Safe to call twice. */
  stop(): void {
    this.#end()
  }
}

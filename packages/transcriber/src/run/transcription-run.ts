import { type HeldJob, type IncomingTrack, nowMs } from '@lectern/worker-kit'
import type { RecognitionScheduler } from '../recognition/recognition-scheduler.ts'
import type { DroppedAudio } from '../recognition/speaker-stream.ts'
import { CaptionPublisher } from './caption-publisher.ts'
import { Speakers } from './speakers.ts'
import { TrackTranscriber } from './track-transcriber.ts'
import { Transcript } from './transcript.ts'

/** Transcribes every microphone of a session. Screen audio is ignored: it has no speaker. */
export class TranscriptionRun {
  readonly #recognition: RecognitionScheduler
  readonly #transcript: Transcript
  readonly #speakers: Speakers
  readonly #publisher: CaptionPublisher
  readonly #unsubscribe: () => void
  readonly #transcribers = new Map<TrackTranscriber, Promise<void>>()
  readonly #dropped: DroppedAudio = { droppedMs: 0, droppedPartials: 0 }
  #failure: { error: unknown } | null = null

  constructor(held: HeldJob, recognition: RecognitionScheduler, startedAtMs: number) {
    this.#recognition = recognition
    this.#transcript = new Transcript(startedAtMs)
    this.#speakers = new Speakers(() => held.session())
    this.#publisher = new CaptionPublisher(phrases => held.publishPhrases(phrases))
    this.#unsubscribe = held.onTrack(track => this.#transcribe(track))
  }

  /** Stops all tracks and returns everything said so far. */
  async end(): Promise<{ transcript: Transcript; dropped: DroppedAudio }> {
    this.#unsubscribe()
    for (const transcriber of this.#transcribers.keys()) transcriber.stop()
    await Promise.all(this.#transcribers.values())
    if (this.#failure) throw this.#failure.error
    await this.#publisher.flush()
    return { transcript: this.#transcript, dropped: this.#dropped }
  }

  #transcribe(track: IncomingTrack): void {
    if (track.source !== 'microphone') return
    const { participantId } = track
    this.#speakers.find(participantId)
    const transcriber = new TrackTranscriber(track, this.#recognition, {
      partial: text => this.#publisher.partial(participantId, text),
      final: (text, isCut) => {
        const speaker = this.#speakers.find(participantId)
        this.#publisher.phrases(this.#transcript.add(speaker, text, isCut, Math.floor(nowMs())))
      },
    })
    const done = transcriber
      .run()
      .then(({ droppedMs, droppedPartials }) => {
        this.#dropped.droppedMs += droppedMs
        this.#dropped.droppedPartials += droppedPartials
      })
      .catch((error: unknown) => {
        this.#failure = { error }
      })
      .finally(() => this.#transcribers.delete(transcriber))
    this.#transcribers.set(transcriber, done)
  }
}

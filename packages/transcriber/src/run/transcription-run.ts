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
  /** When each track ended that could not be decoded: the audio since then is missing. */
  readonly #lostAtMs: number[] = []
  readonly #log: HeldJob['log']

  constructor(held: HeldJob, recognition: RecognitionScheduler, startedAtMs: number) {
    this.#recognition = recognition
    this.#log = held.log
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
    await this.#publisher.flush()
    for (const lostAtMs of this.#lostAtMs) this.#dropped.droppedMs += performance.now() - lostAtMs
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
      failed: (error, isDropped) => this.#onEngineFailure(participantId, error, isDropped),
    })
    const done = transcriber
      .run()
      .then(({ droppedMs, droppedPartials }) => {
        this.#dropped.droppedMs += droppedMs
        this.#dropped.droppedPartials += droppedPartials
      })
      .catch((error: unknown) => {
        this.#log.error({ err: error, participant_id: participantId }, 'a track cannot be transcribed')
        this.#lostAtMs.push(performance.now())
      })
      .finally(() => this.#transcribers.delete(transcriber))
    this.#transcribers.set(transcriber, done)
  }

  #onEngineFailure(participantId: string, error: unknown, isDropped: boolean): void {
    const about = { err: error, participant_id: participantId }
    if (isDropped) this.#log.error(about, 'the speech engine failed again and again: a phrase is dropped')
    else this.#log.warn(about, 'the speech engine failed: the phrase is recognised again')
  }
}

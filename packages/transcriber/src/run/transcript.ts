import type { TranscriptDocument, TranscriptionSegment } from '@lectern/protocol'
import { deviceIdOf, PHRASE_TEXT_MAX, type RecognizedPhrase } from '@lectern/protocol/control'
import type { DroppedAudio } from '../recognition/speaker-stream.ts'
import type { Speaker } from './speakers.ts'

/** Why a run ended. */
export type EndReason = 'stopped' | 'session_ended' | 'drained'

/** The uploaded result: the data of `transcription.ready`, and what overload dropped. */
export interface RunDocument extends TranscriptDocument {
  /** `incomplete`: some speech was dropped. */
  status: 'completed' | 'incomplete'
  reason: EndReason
  /** Null when nothing was dropped. */
  degraded: { skipped_ms: number; held_back_partials: number } | null
}

/** Accumulates the phrases of a run. */
export class Transcript {
  readonly #segments: TranscriptionSegment[] = []
  readonly #startedAtMs: number

  constructor(startedAtMs: number) {
    this.#startedAtMs = startedAtMs
  }

  /** Returns the phrases to publish: several for text above the phrase limit. */
  add(
    { participantId, userId, name }: Speaker,
    text: string,
    isCut: boolean,
    atMs: number,
  ): RecognizedPhrase[] {
    return splitText(text).map(piece => {
      const seq = this.#segments.length + 1
      const speaker = { client_id: Number(userId), device_id: deviceIdOf(participantId), name }
      this.#segments.push({ seq, at: atMs, speaker, text: piece, partial: isCut })
      return {
        seq,
        participant_id: participantId,
        user_id: userId,
        display_name: name,
        text: piece,
        at_ms: atMs,
      }
    })
  }

  document(
    end: { reason: EndReason; atMs: number },
    engine: { name: string; language: string },
    { droppedMs, droppedPartials }: DroppedAudio,
  ): RunDocument {
    const isComplete = droppedMs === 0 && droppedPartials === 0
    return {
      status: droppedMs > 0 ? 'incomplete' : 'completed',
      language: engine.language,
      engine: engine.name,
      started_at_ms: this.#startedAtMs,
      ended_at_ms: end.atMs,
      reason: end.reason,
      text: this.#segments.map(({ text }) => text).join('\n'),
      segments: this.#segments,
      degraded: isComplete
        ? null
        : { skipped_ms: Math.round(droppedMs), held_back_partials: droppedPartials },
    }
  }
}

/** Splits at spaces where possible, never inside a code point. */
function splitText(text: string): string[] {
  const left = [...text]
  const all: string[] = []
  while (left.length > PHRASE_TEXT_MAX) {
    const space = left.lastIndexOf(' ', PHRASE_TEXT_MAX)
    const at = space > 0 ? space : PHRASE_TEXT_MAX
    all.push(left.splice(0, at).join('').trim())
  }
  return [...all, left.join('').trim()].filter(piece => piece !== '')
}

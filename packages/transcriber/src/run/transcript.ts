import type { TranscriptDocument, TranscriptionSegment } from '@lectern/protocol'
import { deviceIdOf, type HeardPhrase, PHRASE_TEXT_MAX } from '@lectern/protocol/control'
import type { Shortfall } from '../recognition/voice.ts'
import type { Speaker } from './speakers.ts'

/** Why a run came to its end. */
export type EndOfRun = 'stopped' | 'session_ended' | 'drained'

/** What the server makes `transcription.ready` of (contract §6.2), and what is missing because of too many voices. */
export interface Document extends TranscriptDocument {
  /** `incomplete`: some speech was skipped. */
  status: 'completed' | 'incomplete'
  reason: EndOfRun
  /** Null when nothing is missing. */
  degraded: { skipped_ms: number; held_back_partials: number } | null
}

/** Everything that was said in a run. */
export class Transcript {
  readonly #segments: TranscriptionSegment[] = []
  readonly #startedAtMs: number

  constructor(startedAtMs: number) {
    this.#startedAtMs = startedAtMs
  }

  /** The phrases that it makes: several of one that is too long. */
  add({ participantId, userId, name }: Speaker, text: string, isCut: boolean, atMs: number): HeardPhrase[] {
    return pieces(text).map(piece => {
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
    end: { reason: EndOfRun; atMs: number },
    engine: { name: string; language: string },
    { skippedMs, heldBackPartials }: Shortfall,
  ): Document {
    const isWhole = skippedMs === 0 && heldBackPartials === 0
    return {
      status: skippedMs > 0 ? 'incomplete' : 'completed',
      language: engine.language,
      engine: engine.name,
      started_at_ms: this.#startedAtMs,
      ended_at_ms: end.atMs,
      reason: end.reason,
      text: this.#segments.map(({ text }) => text).join('\n'),
      segments: this.#segments,
      degraded: isWhole ? null : { skipped_ms: Math.round(skippedMs), held_back_partials: heldBackPartials },
    }
  }
}

/** At spaces, where there are any. Lengths count code points, of which a half is never left alone. */
function pieces(text: string): string[] {
  const left = [...text]
  const all: string[] = []
  while (left.length > PHRASE_TEXT_MAX) {
    const space = left.lastIndexOf(' ', PHRASE_TEXT_MAX)
    const at = space > 0 ? space : PHRASE_TEXT_MAX
    all.push(left.splice(0, at).join('').trim())
  }
  return [...all, left.join('').trim()].filter(piece => piece !== '')
}

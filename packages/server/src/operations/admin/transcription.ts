import { ensure, type TranscriptionRequest } from '@lectern/protocol'
import type { ConferenceSessions } from '../../sessions/conference-sessions.ts'

/** The part of `ConferenceSessions` that transcribes. */
export type LiveTranscription = Pick<ConferenceSessions, 'startTranscription' | 'stopTranscription'>

/**
 * Starts or stops transcription in any conference, including partner rooms (rule RECORD-3). Throws
 * `conference_not_found` if the conference has no participants, and `transcription_unavailable` if there is no transcriber.
 */
export async function transcribe(
  conferences: LiveTranscription,
  tag: string,
  { action, language }: TranscriptionRequest,
): Promise<void> {
  const isLive =
    action === 'start'
      ? await conferences.startTranscription(tag, { ...(language !== undefined && { language }) })
      : await conferences.stopTranscription(tag)
  ensure(isLive, 'conference_not_found', 'Nobody is in this conference right now.')
}

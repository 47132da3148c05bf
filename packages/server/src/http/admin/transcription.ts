import { ensure, type TranscriptionRequest } from '@lectern/protocol'
import type { ConferenceSessions } from '../../sessions/conference-sessions.ts'

/**
 * In any conference, partners' rooms too (rule RECORD-3). Throws `conference_not_found` while nobody is inside, and
 * `transcription_unavailable` while there is no transcriber.
 */
export async function transcribe(
  conferences: Pick<ConferenceSessions, 'startTranscription' | 'stopTranscription'>,
  tag: string,
  { action, language }: TranscriptionRequest,
): Promise<void> {
  const isLive =
    action === 'start'
      ? await conferences.startTranscription(tag, { ...(language !== undefined && { language }) })
      : await conferences.stopTranscription(tag)
  ensure(isLive, 'conference_not_found', 'Nobody is in this conference right now.')
}

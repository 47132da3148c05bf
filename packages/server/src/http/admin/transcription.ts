import { ensure, Refusal, type TranscriptionRequest } from '@lectern/protocol'
import { ControlRefusal } from '@lectern/protocol/control'
import type { ConferenceSessions } from '../../sessions/conference-sessions.ts'

/**
 * In any conference, partners' rooms too (rule RECORD-3). Throws `conference_not_found` while nobody is inside, and
 * `temporarily_unavailable` while there is no transcriber.
 */
export async function transcribe(
  conferences: Pick<ConferenceSessions, 'startTranscription' | 'stopTranscription'>,
  tag: string,
  { action, language }: TranscriptionRequest,
): Promise<void> {
  try {
    const isLive =
      action === 'start'
        ? await conferences.startTranscription(tag, { ...(language !== undefined && { language }) })
        : await conferences.stopTranscription(tag)
    ensure(isLive, 'conference_not_found', 'Nobody is in this conference right now.')
  } catch (error) {
    if (error instanceof ControlRefusal && error.code === 'temporarily_unavailable')
      throw new Refusal('temporarily_unavailable', error.message, { cause: error })
    throw error
  }
}

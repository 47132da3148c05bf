import { toWebVtt } from '@lectern/protocol'
import type { Transcript } from '../../../records/ports.ts'
import { phrasesOf } from '../../../records/routes/own-recordings/transcript.ts'

/** WebVTT whose times count from the start of the run. */
export const transcriptVtt = (transcript: Transcript): string => {
  const { startedAtMs, endedAtMs } = transcript
  return toWebVtt(phrasesOf({ startedAtMs, durationMs: endedAtMs - startedAtMs }, [transcript]))
}

/** A line for each phrase. */
export const transcriptText = ({ segments }: Transcript): string =>
  segments.map(({ speaker, text }) => `${speaker.name}: ${text.replace(/\s+/g, ' ').trim()}\n`).join('')

import { type Static, Type } from 'typebox'
import { TranscriptionSegment } from './integration/webhook-events.ts'
import { Result } from './schema.ts'

/** The most transcripts in a list of the command line, newest first. */
export const TRANSCRIPTS_MAX = 500

/** One run of a transcriber, without its text. */
export const TranscriptSummary = Type.Object({
  id: Type.String({ description: 'Equal to job_id.' }),
  job_id: Type.String(),
  conference_tag: Type.String(),
  conference_session_id: Type.Integer(),
  status: Type.String({ description: 'Open set, e.g. completed.' }),
  language: Type.String(),
  engine: Type.String({ description: 'The engine that recognised the speech.' }),
  started_at_ms: Type.Integer({ description: 'Unix milliseconds.' }),
  ended_at_ms: Type.Integer({ description: 'Unix milliseconds.' }),
  reason: Type.String({ description: 'Why the run ended; open set.' }),
  created_at: Type.Integer({ description: 'Unix seconds; when it was stored.' }),
})
export type TranscriptSummary = Static<typeof TranscriptSummary>

export const TranscriptResponse = Type.Object({
  result: Result,
  ...TranscriptSummary.properties,
  text: Type.String({ description: 'The complete text of the run.' }),
  segments: Type.Array(TranscriptionSegment),
})
export type TranscriptResponse = Static<typeof TranscriptResponse>

export const TranscriptionRequest = Type.Object({
  action: Type.Enum(['start', 'stop']),
  language: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$',
      maxLength: 35,
      description: 'For start: BCP 47. Absent: the language of the transcriber.',
    }),
  ),
})
export type TranscriptionRequest = Static<typeof TranscriptionRequest>

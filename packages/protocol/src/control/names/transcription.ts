import { type Static, Type } from 'typebox'
import { Id, strict } from '../scalars.ts'
import { StoredDisplayName, TimeMs, text } from './fields.ts'
import { LeaseStatus } from './jobs.ts'
import { Language } from './language.ts'

/** Live transcription (rules X1 to X8). */

export const PHRASE_TEXT_MAX = 2000
export const PARTIAL_TEXT_MAX = 500
/** The most phrases in one command. */
export const PHRASES_PER_COMMAND_MAX = 20

const WantedLanguage = Type.Unsafe<string>({
  ...Language,
  description: 'BCP 47, such as en-US. Absent: the language of the transcriber.',
})

/** display_name is the speaker's name at that time. */
const spoken = {
  participant_id: Id,
  user_id: Id,
  display_name: StoredDisplayName,
  text: text(1, PHRASE_TEXT_MAX, 'The recognised text.'),
  at_ms: TimeMs,
}

/** A final phrase. */
export const Phrase = Type.Object(
  { phrase_id: Type.String({ ...Id, description: 'The job_id and the number within the run.' }), ...spoken },
  strict,
)
export type Phrase = Static<typeof Phrase>

export const RecognizedPhrase = Type.Object(
  {
    seq: Type.Integer({ minimum: 1, description: 'Sequence number within the run, without gaps.' }),
    ...spoken,
  },
  strict,
)
export type RecognizedPhrase = Static<typeof RecognizedPhrase>

export const RecognizedPartial = Type.Object(
  {
    participant_id: Id,
    text: text(0, PARTIAL_TEXT_MAX, 'Empty: the phrase was discarded.'),
  },
  strict,
)
export type RecognizedPartial = Static<typeof RecognizedPartial>

export const transcriptionCommands = {
  'transcription.start': Type.Object(
    { language: Type.Optional(WantedLanguage) },
    { ...strict, description: 'In ordinary conferences.' },
  ),
  'transcription.stop': Type.Object({}, strict),
  'job.phrases': Type.Object(
    {
      worker_id: Id,
      phrases: Type.Array(RecognizedPhrase, { maxItems: PHRASES_PER_COMMAND_MAX }),
      partials: Type.Array(RecognizedPartial, { maxItems: PHRASES_PER_COMMAND_MAX }),
    },
    { ...strict, description: 'Recognised speech: final phrases and phrases in progress.' },
  ),
}

export const transcriptionData = { 'job.phrases': LeaseStatus }

export const transcriptionEvents = {
  'transcription.phrase': Type.Object({ phrase: Phrase }, strict),
}

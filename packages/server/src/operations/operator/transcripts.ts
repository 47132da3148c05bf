import { TRANSCRIPTS_MAX, type TranscriptResponse, type TranscriptSummary } from '@lectern/protocol'
import { presentTranscript } from '../../records/partner-events.ts'
import type { TranscriptStore } from '../../records/stores/transcripts.ts'
import { OperatorError } from './checks.ts'

/** Reads transcripts for the operator. */
export class TranscriptAdminService {
  readonly #store: TranscriptStore

  constructor(store: TranscriptStore) {
    this.#store = store
  }

  /** The newest first, at most 500, of one conference or of all. */
  async list(conferenceTag?: string): Promise<TranscriptSummary[]> {
    return (await this.#store.list(TRANSCRIPTS_MAX, conferenceTag)).map(presentTranscript)
  }

  async find(jobId: string): Promise<Omit<TranscriptResponse, 'result'>> {
    const found = await this.#store.find(jobId)
    if (!found) throw new OperatorError(`There is no transcript of job ${jobId}.`, 'transcript_not_found')
    return { ...presentTranscript(found), text: found.text, segments: found.segments }
  }
}

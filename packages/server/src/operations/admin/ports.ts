import type { SampleColumn, SampleColumns } from '@lectern/protocol'
import type { Recording, TranscriptHead } from '../../records/ports.ts'

export interface IndexedRecording extends Recording {
  /** The order of indexing. */
  rowId: number
}

export interface IndexedTranscript extends TranscriptHead {
  /** The order of indexing. */
  rowId: number
}

/** Questions to the other servers of the installation, for what only they know. */
export interface ServerQueries {
  /** Answers the query when another server asks it. */
  serve<Request>(name: string, handler: (request: Request) => unknown): void
  /** `answer` is null: the server did not answer in time, or does not know the query. */
  askOthers<T>(name: string, request: unknown): Promise<{ server: OtherServer; answer: T | null }[]>
}

export interface OtherServer {
  id: string
  name: string
}

/** The state of the server in one minute. */
export type Sample = { [Column in SampleColumn]: SampleColumns[Column][number] }

import type { AdminJob, SampleColumn, SampleColumns } from '@lectern/protocol'
import type { JobKind } from '@lectern/protocol/control'
import type {
  Delivery,
  DeliveryStatus,
  Room,
  ServiceAccount,
  StoredRoomStatus,
} from '../integration/ports.ts'
import type { NamePage, Page, TimePage } from '../paging.ts'
import type { Recording, TranscriptHead } from '../records/ports.ts'

export interface IndexedRecording extends Recording {
  /** The order of indexing. */
  rowId: number
}

export interface IndexedTranscript extends TranscriptHead {
  /** The order of indexing. */
  rowId: number
}

/** Lists of the main store that only administrators read. */
export interface AdministrationLists {
  jobs(
    filter: { kind?: JobKind | undefined; state?: AdminJob['state'] | undefined },
    page: TimePage,
  ): Promise<AdminJob[]>
  findJob(id: string): Promise<AdminJob | null>
  recordings(filter: { conferenceTag?: string | undefined }, page: Page): Promise<IndexedRecording[]>
  transcripts(filter: { conferenceTag?: string | undefined }, page: Page): Promise<IndexedTranscript[]>
  /** Numbers of rows, and the bytes of finished files. */
  counts(): Promise<{
    files: number
    bytes: number
    uploads: number
    recordings: number
    transcripts: number
  }>
}

/** Lists of the partner module's store that only administrators read. */
export interface PartnerLists {
  serviceAccounts(filter: { search?: string | undefined }, page: NamePage): Promise<ServiceAccount[]>
  rooms(
    filter: { search?: string | undefined; status?: StoredRoomStatus | undefined },
    page: Page,
  ): Promise<Room[]>
  deliveries(
    filter: { status?: DeliveryStatus | undefined },
    page: TimePage,
  ): Promise<Omit<Delivery, 'body'>[]>
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

export interface SampleStore {
  /** Replaces the server's sample of the same minute, and removes all from before `keepFromMs`. */
  add(server: string, sample: Sample, keepFromMs: number): Promise<void>
  /** Of each server that has samples, by its name; ascending. */
  list(fromMs: number): Promise<Map<string, Sample[]>>
}

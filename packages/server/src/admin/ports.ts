import type { AdminJob, SampleColumn, SampleColumns } from '@lectern/protocol'
import type { JobKind } from '@lectern/protocol/control'
import type { Delivery, DeliveryStatus, Room, StoredRoomStatus } from '../integration/ports.ts'
import type { Recording } from '../records/ports.ts'

/** The page of a list in the order of ids, newest first: rows older than `before`. */
export interface Page {
  before?: number | undefined
  limit: number
}

/** The page of a list in the order of times, newest first; the id decides between equal times. */
export interface TimePage {
  before?: { at: number; id: string } | undefined
  limit: number
}

export interface IndexedRecording extends Recording {
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
  rooms(
    filter: { search?: string | undefined; status?: StoredRoomStatus | undefined },
    page: Page,
  ): Promise<Room[]>
  deliveries(
    filter: { status?: DeliveryStatus | undefined },
    page: TimePage,
  ): Promise<Omit<Delivery, 'body'>[]>
}

/** The state of the server in one minute. */
export type Sample = { [Column in SampleColumn]: SampleColumns[Column][number] }

export interface SampleStore {
  /** Replaces the sample of the same minute, and removes those from before `keepFromMs`. */
  add(sample: Sample, keepFromMs: number): Promise<void>
  /** Ascending. */
  list(fromMs: number): Promise<Sample[]>
}

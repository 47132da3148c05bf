import type { Blob, BlobIntake, BlobStore } from '../records/ports.ts'

/** The metadata of a blob and its upload state. */
export interface BlobRow {
  blob: Blob
  state: 'writing' | 'ready'
  /** The multipart upload of an object storage; null in a folder. */
  uploadId: string | null
}

/** The metadata of blobs, without their bytes. */
export interface BlobIndex {
  /** As `writing`. */
  add(blob: Blob, uploadId?: string | null): Promise<void>
  find(id: string): Promise<BlobRow | null>
  markReady(id: string): Promise<void>
  remove(id: string): Promise<void>
  /** All whose id begins with `prefix`. */
  listByPrefix(prefix: string): Promise<BlobRow[]>
  /**
   * Ids, beginning with `prefix`, of finished blobs that no record contains: uploaded before that time (Unix seconds) by
   * a job that had ended by then. Blobs of unknown jobs are excluded.
   */
  listUnclaimed(prefix: string, before: number, limit: number): Promise<string[]>
  isEmpty(): Promise<boolean>
}

/** Ids of blobs that were not finished, were damaged from outside, or are unused. */
export interface Orphans {
  /** Uploads that nobody finished within a day. */
  abandoned: string[]
  /** Rows whose file is gone. */
  lost: string[]
  /** Files without a row. */
  stray: string[]
  /** Files of jobs that ended at least a day ago, without a record that contains them. */
  unclaimed: string[]
}

/** A store of files, in a folder or in an object storage. */
export interface SweptBlobs extends BlobStore, BlobIntake {
  /** Removes and returns orphans. Throws when the files cannot be seen. */
  sweep(): Promise<Orphans>
  metrics: Record<string, { help: string; read: () => number }>
  close(): void
}

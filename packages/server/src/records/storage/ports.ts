import type { Blob, BlobIntake, BlobStore } from '../ports.ts'

/** The metadata of a blob and its upload state. */
export interface BlobRow {
  blob: Blob
  state: 'writing' | 'ready' | 'removing'
  /** The multipart upload of an object storage; null in a folder. */
  uploadId: string | null
}

/** Ids of blobs that were not finished, were damaged from outside, or are unused. */
export interface Orphans {
  /** Uploads that nobody finished within a day, and removals that were interrupted. */
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

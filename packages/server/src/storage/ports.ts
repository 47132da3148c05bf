import type { Blob } from '../records/ports.ts'

/** What is known of a blob, and whether its bytes are whole. */
export interface BlobRow {
  blob: Blob
  state: 'writing' | 'ready'
}

/** The list of blobs. Their bytes are elsewhere. */
export interface BlobIndex {
  /** As `writing`. */
  add(blob: Blob): Promise<void>
  find(id: string): Promise<BlobRow | null>
  markReady(id: string): Promise<void>
  remove(id: string): Promise<void>
  /** All whose id begins with `prefix`. */
  listByPrefix(prefix: string): Promise<BlobRow[]>
  isEmpty(): Promise<boolean>
}

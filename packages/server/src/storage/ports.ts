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
  /**
   * Ids, beginning with `prefix`, of whole blobs that no record names and none will: they came before that time
   * (Unix seconds), and by then their job was over. What a job brought that is not known is not among them.
   */
  listUnclaimed(prefix: string, before: number, limit: number): Promise<string[]>
  isEmpty(): Promise<boolean>
}

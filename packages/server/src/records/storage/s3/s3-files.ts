import { isBlobId } from '../blob-id.ts'
import type { Shard, StoredFiles } from '../orphans.ts'
import type { Bucket } from './bucket.ts'

const SHARDS = 256

/** The objects of blobs in a bucket. Those without a row may be of an upload or a copy that is under way elsewhere. */
export class S3Files implements StoredFiles {
  readonly #bucket: Bucket
  readonly #orphansBefore: number

  /** Objects that were modified at that time (Unix seconds) or later are recent. */
  constructor(bucket: Bucket, orphansBefore: number) {
    this.#bucket = bucket
    this.#orphansBefore = orphansBefore
  }

  async exists(id: string): Promise<boolean> {
    return (await this.#bucket.sizeOf(id)) !== null
  }

  /** Lists all objects in the order of their keys, a page at a time. */
  async *shards(): AsyncGenerator<Shard> {
    const objects = this.#bucket.list('b_')
    let next = await objects.next()
    for (let i = 0; i < SHARDS; i++) {
      const digits = i.toString(16).padStart(2, '0')
      const ids = new Set<string>()
      const recent = new Set<string>()
      for (; !next.done && next.value.key < `b_${digits}g`; next = await objects.next()) {
        const { key, modifiedAt } = next.value
        if (!isBlobId(key)) continue
        ids.add(key)
        if (!(modifiedAt < this.#orphansBefore)) recent.add(key)
      }
      yield { digits, ids, recent }
    }
  }
}

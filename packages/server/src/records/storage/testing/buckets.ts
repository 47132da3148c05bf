import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { threadId } from 'node:worker_threads'
import { s3Settings } from '../../../platform/config/storage.ts'
import { openMainStore } from '../../../platform/db/open.ts'
import { Lifetime } from '../../../platform/lifetime.ts'
import { createLog } from '../../../platform/log.ts'
import { type BucketSettings, sharedSwift } from '../../../testing/swift.ts'
import type { BlobIndex } from '../../stores/blobs.ts'
import { blobIndex } from '../../stores/blobs.ts'
import { jobStore } from '../../stores/jobs.ts'
import { recordingStore } from '../../stores/recordings.ts'
import { Bucket } from '../s3/bucket.ts'
import { S3Blobs } from '../s3/s3-blobs.ts'
import { S3Proxy } from './s3-proxy.ts'

let count = 0

/** Real buckets and stores; a proxy stands before the bucket. `close` removes what is local. */
export class Buckets {
  readonly #lifetime = new Lifetime(createLog('silent'))
  close = this.#lifetime.close

  async open({ prefix = 'files', silenceMaxMs = 60_000 } = {}) {
    const swift = await sharedSwift()
    const proxy = this.#lifetime.own('proxy', await S3Proxy.start(swift.endpoint), each => each.close())
    const name = `bucket-${threadId}-${++count}`
    const section = await swift.bucket(name, prefix)
    const dir = mkdtempSync(join(tmpdir(), 'lectern-bucket-'))
    this.#lifetime.own('folder', dir, () => rmSync(dir, { recursive: true }))
    const store = await openMainStore(join(dir, 'main.db'))
    this.#lifetime.own('store', store, () => store.close())
    const index = blobIndex(store.db)
    let now = Date.now()
    const lines: string[] = []
    const log = createLog('info', { write: line => void lines.push(line) })

    /** A server of the installation, with changes of its settings. */
    const server = (changes: Partial<BucketSettings> = {}, itsIndex: BlobIndex = index) => {
      const settings = s3Settings({ ...section, S3Endpoint: proxy.endpoint, ...changes })
      if (!settings) throw new Error('not a bucket')
      const blobs = new S3Blobs({ settings, index: itsIndex, clock: () => now, log, silenceMaxMs })
      return this.#lifetime.own('blobs', blobs, each => each.close())
    }
    const direct = (itsPrefix = prefix) => {
      const settings = s3Settings({ ...section, Url: `s3://${name}/${itsPrefix}` })
      if (!settings) throw new Error('not a bucket')
      return this.#lifetime.own('bucket', new Bucket(settings, { pageSize: 2 }), each => each.close())
    }
    return {
      swift,
      proxy,
      section,
      index,
      /** The bucket itself, without the proxy. */
      bucket: direct(),
      bucketBelow: direct,
      jobs: jobStore(store.db),
      recordings: recordingStore(store.db),
      seconds: () => Math.floor(now / 1000),
      passHours: (hours: number) => {
        now += hours * 3_600_000
      },
      log: () => lines.map(line => JSON.parse(line)),
      server,
      blobs: server(),
    }
  }
}

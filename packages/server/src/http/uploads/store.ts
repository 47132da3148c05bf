import type { Readable } from 'node:stream'
import { ensure } from '@lectern/protocol'
import { DataStore, Upload } from '@tus/server'
import type { BlobIntake, NewBlob } from '../../records/ports.ts'

/** Our blobs, in the words of @tus/server. An upload has the id that its blob will have. */
export class TusBlobs extends DataStore {
  readonly #blobs: BlobIntake
  readonly #planned = new WeakMap<Upload, NewBlob>()

  constructor(blobs: BlobIntake) {
    super()
    this.#blobs = blobs
    this.extensions = ['creation']
  }

  /** What the upload is going to be; to be told before `create`. */
  plan(upload: Upload, blob: NewBlob): void {
    this.#planned.set(upload, blob)
  }

  override async create(upload: Upload): Promise<Upload> {
    const blob = this.#planned.get(upload)
    if (!blob) throw new Error('nobody has planned this upload')
    upload.id = await this.#blobs.begin(blob)
    return upload
  }

  override async getUpload(id: string): Promise<Upload> {
    const progress = await this.#blobs.progress(id)
    ensure(progress, 'blob_not_found')
    return new Upload({ id, size: progress.blob.size, offset: progress.received })
  }

  override write(bytes: Readable, id: string, offset: number): Promise<number> {
    return this.#blobs.append(id, offset, bytes)
  }
}

import type { Readable } from 'node:stream'
import { ensure } from '@lectern/protocol'
import { DataStore, Upload } from '@tus/server'
import type { BlobIntake, NewBlob } from '../../ports.ts'

/** Adapts the blob store to @tus/server. An upload and its blob share one id. */
export class TusBlobs extends DataStore {
  readonly #blobs: BlobIntake
  readonly #planned = new WeakMap<Upload, NewBlob>()

  constructor(blobs: BlobIntake) {
    super()
    this.#blobs = blobs
    this.extensions = ['creation']
  }

  /** Sets the blob that `create` begins for this upload. MUST be called before `create`. */
  plan(upload: Upload, blob: NewBlob): void {
    this.#planned.set(upload, blob)
  }

  override async create(upload: Upload): Promise<Upload> {
    const blob = this.#planned.get(upload)
    if (!blob) throw new Error('create() requires plan() first')
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

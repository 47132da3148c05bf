import type { Logger } from 'pino'
import type { Clock } from '../../platform/clock.ts'
import type { Config } from '../../platform/config/index.ts'
import { s3Settings } from '../../platform/config/storage.ts'
import type { BlobIndex } from '../stores/blobs.ts'
import { DiskBlobs } from './disk-blobs.ts'
import { RESERVE_BYTES } from './disk-space.ts'
import type { SweptBlobs } from './ports.ts'

interface OpenBlobsOptions {
  storage: Config['Storage']
  index: BlobIndex
  clock: Clock
  log: Logger
}

/** Opens the configured store of files. An object storage may be unavailable. */
export async function openBlobs({ storage, index, clock, log }: OpenBlobsOptions): Promise<SweptBlobs> {
  const settings = s3Settings(storage)
  if (!settings) {
    const isGroupReadable = storage.SendfileHeader !== 'none'
    return DiskBlobs.open({ folder: storage.Url, index, clock, reserve: RESERVE_BYTES, isGroupReadable })
  }
  const { S3Blobs } = await import('./s3/s3-blobs.ts')
  return new S3Blobs({ settings, index, clock, log })
}

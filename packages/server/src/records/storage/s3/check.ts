import type { S3Settings } from '../../../platform/config/storage.ts'
import { newBlobId } from '../blob-id.ts'
import { Bucket } from './bucket.ts'
import { S3Failure } from './failure.ts'

const BYTES = Buffer.from('lectern doctor')

/** The meaning of the usual answers of S3 to a wrong configuration. */
const REASONS: Record<string, string> = {
  InvalidAccessKeyId: 'the access key does not exist',
  SignatureDoesNotMatch: 'the secret access key is wrong',
  AuthorizationHeaderMalformed: 'the region is wrong',
  PermanentRedirect: 'the region is wrong',
  NoSuchBucket: 'the bucket does not exist',
  RequestTimeTooSkewed: 'the clock of this machine is wrong',
}

/** Writes, reads, lists and removes an object, as the server does. Returns why that fails, or null. */
export async function faultOfBucket(settings: S3Settings): Promise<string | null> {
  const bucket = new Bucket(settings)
  // Without a row: if the removal fails, the server sweeps it.
  const key = newBlobId()
  try {
    await bucket.put(key, BYTES)
    const uploadId = await bucket.createUpload(key)
    await bucket.putPart(key, uploadId, 1, BYTES)
    await bucket.listParts(key, uploadId)
    await bucket.abortUpload(key, uploadId)
    const body = await bucket.get(key, { start: 0, end: 1 })
    if (body?.statusCode !== 206) return 'it does not return ranges of objects'
    body.destroy()
    await bucket.list(key).next()
    await bucket.listUploads(key).next()
    await bucket.delete(key)
    return null
  } catch (error) {
    if (!(error instanceof S3Failure)) throw error
    const reason = REASONS[error.s3Code ?? '']
    return reason ? `${reason} (${error.message})` : error.message
  } finally {
    bucket.close()
  }
}

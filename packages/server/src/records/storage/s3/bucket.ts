import type { IncomingMessage } from 'node:http'
import type { S3Settings } from '../../../platform/config/storage.ts'
import type { Span } from '../../ports.ts'
import { S3Client, type S3Request } from './client.ts'
import { S3Failure } from './failure.ts'
import { elements, textOf } from './xml.ts'

export interface Part {
  number: number
  size: number
  etag: string
}

export interface ListedObject {
  key: string
  /** Unix seconds. */
  modifiedAt: number
}

export interface ListedUpload {
  key: string
  uploadId: string
  /** Unix seconds. */
  startedAt: number
}

interface Options {
  silenceMaxMs?: number | undefined
  pageSize?: number
}

const seconds = (time: string | null) => Math.floor(Date.parse(time ?? '') / 1000)

/** The operations of S3 that files need, below the prefix: keys here are without it. Throws S3Failure. */
export class Bucket {
  readonly #client: S3Client
  readonly #prefix: string
  readonly #pageSize: number

  /** Lists are read in pages of at most 1000 entries. */
  constructor(settings: S3Settings, { silenceMaxMs, pageSize = 1000 }: Options = {}) {
    this.#client = new S3Client(settings, silenceMaxMs)
    this.#prefix = settings.prefix
    this.#pageSize = pageSize
  }

  /** Null when there is no such object. */
  async sizeOf(key: string): Promise<number | null> {
    const answer = await this.#call({ operation: 'HeadObject', method: 'HEAD', key }).catch(nullIfAbsent)
    return answer && Number(answer.headers['content-length'])
  }

  /** The bytes of the span, or what there is of it; null when there is no such object. */
  get(key: string, { start, end }: Span): Promise<IncomingMessage | null> {
    const headers = { range: `bytes=${start}-${end}` }
    const request: S3Request = { operation: 'GetObject', method: 'GET', key: this.#prefix + key, headers }
    return this.#client.open(request).catch(nullIfAbsent)
  }

  async put(key: string, body: Buffer): Promise<void> {
    await this.#call({ operation: 'PutObject', method: 'PUT', key, body })
  }

  /** Idempotent. */
  async delete(key: string): Promise<void> {
    await this.#call({ operation: 'DeleteObject', method: 'DELETE', key }).catch(nullIfAbsent)
  }

  /** Returns the id of the upload. */
  async createUpload(key: string): Promise<string> {
    const operation = 'CreateMultipartUpload'
    const { body } = await this.#call({ operation, method: 'POST', key, query: { uploads: '' } })
    const uploadId = textOf(body, 'UploadId')
    if (!uploadId) throw new S3Failure(operation, null, 'the answer has no upload id')
    return uploadId
  }

  /** Replaces the part if it exists. Throws S3Failure with `isAbsent` when there is no such upload. */
  async putPart(key: string, uploadId: string, partNumber: number, body: Buffer): Promise<void> {
    const query = { partNumber, uploadId }
    await this.#call({ operation: 'UploadPart', method: 'PUT', key, query, body })
  }

  /** All parts in their order; null when there is no such upload. */
  async listParts(key: string, uploadId: string): Promise<Part[] | null> {
    const parts: Part[] = []
    for (let marker: string | null = '0'; marker !== null; ) {
      const query = { uploadId, 'part-number-marker': marker, 'max-parts': this.#pageSize }
      const request = { operation: 'ListParts', method: 'GET', key, query } as const
      const answer = await this.#call(request).catch(nullIfAbsent)
      if (!answer) return null
      for (const part of elements(answer.body, 'Part'))
        parts.push({
          number: Number(textOf(part, 'PartNumber')),
          size: Number(textOf(part, 'Size')),
          etag: textOf(part, 'ETag') ?? '',
        })
      marker = nextOf(answer.body, 'NextPartNumberMarker')
    }
    return parts
  }

  /** Throws S3Failure with `isAbsent` when there is no such upload; it may be completed already. */
  async completeUpload(key: string, uploadId: string, parts: Part[]): Promise<void> {
    const list = parts.map(
      ({ number, etag }) =>
        `<Part><PartNumber>${number}</PartNumber><ETag>${etag.replaceAll('"', '&quot;')}</ETag></Part>`,
    )
    const body = `<CompleteMultipartUpload>${list.join('')}</CompleteMultipartUpload>`
    await this.#call({
      operation: 'CompleteMultipartUpload',
      method: 'POST',
      key,
      query: { uploadId },
      body,
    })
  }

  /** Removes the upload and its parts. Idempotent. */
  async abortUpload(key: string, uploadId: string): Promise<void> {
    const request = { operation: 'AbortMultipartUpload', method: 'DELETE', key, query: { uploadId } } as const
    await this.#call(request).catch(nullIfAbsent)
  }

  /** Objects whose key begins like that, in the order of their keys. */
  async *list(start: string): AsyncGenerator<ListedObject> {
    for (let token: string | null = ''; token !== null; ) {
      const query = {
        'list-type': 2,
        'max-keys': this.#pageSize,
        prefix: this.#prefix + start,
        ...(token && { 'continuation-token': token }),
      }
      const { body } = await this.#client.call({ operation: 'ListObjectsV2', method: 'GET', query })
      for (const each of elements(body, 'Contents'))
        yield { key: this.#below(textOf(each, 'Key')), modifiedAt: seconds(textOf(each, 'LastModified')) }
      token = nextOf(body, 'NextContinuationToken')
    }
  }

  /** Uploads to such keys that were neither completed nor aborted. */
  async *listUploads(start: string): AsyncGenerator<ListedUpload> {
    for (let after: Record<string, string> | null = {}; after !== null; ) {
      const query = { uploads: '', prefix: this.#prefix + start, 'max-uploads': this.#pageSize, ...after }
      const { body } = await this.#client.call({ operation: 'ListMultipartUploads', method: 'GET', query })
      for (const each of elements(body, 'Upload'))
        yield {
          key: this.#below(textOf(each, 'Key')),
          uploadId: textOf(each, 'UploadId') ?? '',
          startedAt: seconds(textOf(each, 'Initiated')),
        }
      const key = nextOf(body, 'NextKeyMarker')
      const id = textOf(body, 'NextUploadIdMarker') ?? ''
      after = key === null ? null : { 'key-marker': key, 'upload-id-marker': id }
    }
  }

  close(): void {
    this.#client.close()
  }

  #call(request: S3Request & { key: string }) {
    return this.#client.call({ ...request, key: this.#prefix + request.key })
  }

  #below(key: string | null): string {
    return (key ?? '').slice(this.#prefix.length)
  }
}

/** The marker of the next page of a list; null after the last one. */
const nextOf = (xml: string, marker: string) =>
  textOf(xml, 'IsTruncated') === 'true' ? textOf(xml, marker) || null : null

/** Null for what does not exist; rethrows other failures. */
function nullIfAbsent(error: unknown): null {
  if (error instanceof S3Failure && error.isAbsent) return null
  throw error
}

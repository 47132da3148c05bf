import { Refusal } from '@lectern/protocol'
import { textOf } from './xml.ts'

/** For clients: faults of an object storage last seconds, or until an operator acts. */
const RETRY_AFTER_MS = 5_000

const FULL = new Set(['QuotaExceeded', 'InsufficientStorage', 'XMinioStorageFull'])
const ABSENT = new Set(['NoSuchKey', 'NoSuchUpload', 'NotFound'])
const TRANSIENT = new Set(['SlowDown', 'RequestTimeout', 'InternalError', 'ServiceUnavailable'])

/** S3 refused a request, or did not answer it (status null). The message has no keys, signatures or addresses of clients. */
export class S3Failure extends Error {
  override name = 'S3Failure'
  readonly status: number | null
  /** The code of S3, e.g. `SlowDown`; null: there is none. */
  readonly s3Code: string | null
  /** The request was signed with a wrong time; the next one is not. */
  hadWrongClock = false

  constructor(operation: string, status: number | null, reason: string | null) {
    const what = status === null ? 'did not answer' : `answered ${status} to`
    super(`S3 ${what} ${operation}${reason ? ` (${reason})` : ''}`)
    this.status = status
    this.s3Code = status === null ? null : reason
  }

  static ofAnswer(operation: string, status: number, body: string): S3Failure {
    const code = textOf(body, 'Code')
    return new S3Failure(operation, status, code && /^\w{1,64}$/.test(code) ? code : null)
  }

  static ofError(operation: string, error: unknown): S3Failure {
    if (error instanceof S3Failure) return error
    const { code, message } = error as NodeJS.ErrnoException
    return new S3Failure(operation, null, code ?? message ?? String(error))
  }

  /** The object or the upload does not exist. A missing bucket is a fault of the configuration. */
  get isAbsent(): boolean {
    return this.status === 404 && (this.s3Code === null || ABSENT.has(this.s3Code))
  }

  /** Whether the request may succeed a moment later. */
  get isTransient(): boolean {
    return (
      this.hadWrongClock ||
      this.status === null ||
      this.status >= 500 ||
      this.status === 429 ||
      TRANSIENT.has(this.s3Code ?? '')
    )
  }

  /** For clients, who learn nothing of the storage but that it fails. */
  toRefusal(): Refusal {
    const isFull = this.status === 507 || FULL.has(this.s3Code ?? '')
    if (isFull) return new Refusal('insufficient_storage')
    return new Refusal('temporarily_unavailable', 'The storage of files does not answer as it should.', {
      retryAfterMs: RETRY_AFTER_MS,
    })
  }
}

import { createHash } from 'node:crypto'
import * as http from 'node:http'
import * as https from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import { backoffMs } from '@lectern/common'
import { AwsV4Signer } from 'aws4fetch'
import type { S3Settings } from '../../../platform/config/storage.ts'
import { FairQueue } from '../../../platform/fair-queue.ts'
import { S3Failure } from './failure.ts'

export interface S3Request {
  /** For log lines, e.g. `UploadPart`. */
  operation: string
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  /** Below the bucket; absent: the bucket itself. Letters, digits and `._-/` only. */
  key?: string
  query?: Record<string, string | number>
  headers?: Record<string, string>
  body?: Buffer | string
}

export interface S3Answer {
  headers: http.IncomingHttpHeaders
  body: string
}

const FORBIDDEN = 403
const ATTEMPTS = 3
const BACKOFF = { firstMs: 250, maxMs: 2_000, jitter: 0.5 }
/** Without any byte from or to S3. */
const SILENCE_MAX_MS = 20_000
/** Requests with an answer of a few kilobytes. */
const CALLS_MAX = 32
/** Bodies that are being read. */
const STREAMS_MAX = 256
/** Answers in XML; a list of 1000 entries is a third of it. */
const ANSWER_MAX_BYTES = 4 * 1024 * 1024
/** Longer waits are for the caller, who gets a Retry-After. */
const WAIT_MAX_MS = 10_000
/** S3 refuses signatures with a time that differs from its own by minutes. */
const CLOCK_TOLERANCE_MS = 60_000
const EMPTY_SHA256 = createHash('sha256').digest('hex')

/** Limits how much is transferred at once. */
export const transferQueue = (capacity: number) =>
  new FairQueue({ capacity, maxWaitMs: WAIT_MAX_MS }, 'Too many files are being transferred.')

/** Signed requests to one bucket, with a limit of concurrency, retries and deadlines. Throws S3Failure. */
export class S3Client {
  readonly #settings: S3Settings
  readonly #silenceMaxMs: number
  readonly #http: typeof http | typeof https
  readonly #agent: http.Agent
  readonly #calls = transferQueue(CALLS_MAX)
  readonly #streams = transferQueue(STREAMS_MAX)
  /** The time by which the clock of S3 is ahead of this machine's, as far as it matters. */
  #aheadMs = 0
  /** Derived signing keys. */
  readonly #signingKeys = new Map()

  constructor(settings: S3Settings, silenceMaxMs = SILENCE_MAX_MS) {
    this.#silenceMaxMs = silenceMaxMs
    this.#settings = settings
    this.#http = settings.endpoint.startsWith('https:') ? https : http
    this.#agent = new this.#http.Agent({ keepAlive: true, maxFreeSockets: 16 })
  }

  /** Sends the request and reads the answer. Repeats it on transient faults: all requests to S3 are idempotent here. */
  call(request: S3Request): Promise<S3Answer> {
    const send = async () => {
      const answer = await this.#exchange(request)
      const body = await readText(answer, request)
      // Completing an upload may fail after the status has been sent.
      if (body.includes('<Error>')) throw S3Failure.ofAnswer(request.operation, 500, body)
      return { headers: answer.headers, body }
    }
    return this.#calls.run(() => this.#retry(request, send))
  }

  /** `call` for a body that the caller reads. Destroying it cancels the request. */
  async open(request: S3Request): Promise<http.IncomingMessage> {
    const release = await this.#streams.acquire()
    try {
      const answer = await this.#retry(request, () => this.#exchange(request))
      // A reader that is suspended learns of the failure when it continues.
      return answer.on('error', () => {}).once('close', release)
    } catch (error) {
      release()
      throw error
    }
  }

  close(): void {
    this.#agent.destroy()
  }

  async #retry<T>(request: S3Request, send: () => Promise<T>): Promise<T> {
    for (let attempt = 0; ; attempt++)
      try {
        return await send()
      } catch (error) {
        const failure = S3Failure.ofError(request.operation, error)
        if (!failure.isTransient || attempt + 1 >= ATTEMPTS) throw failure
        await sleep(backoffMs(attempt, BACKOFF))
      }
  }

  /** Resolves with the answer of a request that succeeded. */
  async #exchange(request: S3Request): Promise<http.IncomingMessage> {
    const { aheadMs, answer } = await this.#send(request)
    const status = answer.statusCode ?? 0
    if (status >= 200 && status < 300) return answer
    const failure = S3Failure.ofAnswer(request.operation, status, await readText(answer, request))
    if (status !== FORBIDDEN) throw failure
    const measuredMs = Date.parse(answer.headers.date ?? '') - Date.now()
    if (!(Math.abs(measuredMs - aheadMs) > CLOCK_TOLERANCE_MS)) throw failure
    this.#aheadMs = measuredMs
    failure.hadWrongClock = true
    throw failure
  }

  async #send(request: S3Request) {
    const aheadMs = this.#aheadMs
    const { url, method, headers } = await this.#sign(request)
    const answer = await new Promise<http.IncomingMessage>((resolve, reject) => {
      const sent = this.#http.request(url, { method, headers, agent: this.#agent })
      const onSilence = () => sent.destroy(new Error(`nothing for ${this.#silenceMaxMs / 1000} s`))
      sent.setTimeout(this.#silenceMaxMs, onSilence)
      // Errors may follow the answer, such as a body that a server sends to HEAD.
      sent.once('response', resolve).on('error', reject).end(request.body)
    })
    return { aheadMs, answer }
  }

  async #sign({ method, key, query = {}, headers = {}, body }: S3Request) {
    const { endpoint, bucket, region, accessKeyId, secretAccessKey } = this.#settings
    const url = new URL(`${endpoint}/${bucket}${key === undefined ? '' : `/${key}`}`)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value))
    const signed = await new AwsV4Signer({
      method,
      url: url.href,
      headers: {
        ...headers,
        'x-amz-content-sha256': body === undefined ? EMPTY_SHA256 : await sha256(body),
      },
      accessKeyId,
      secretAccessKey,
      region,
      service: 's3',
      datetime: new Date(Date.now() + this.#aheadMs).toISOString().replace(/[:-]|\.\d{3}/g, ''),
      cache: this.#signingKeys,
    }).sign()
    return { url, method, headers: Object.fromEntries(signed.headers) }
  }
}

/** In another thread: eight megabytes would keep the event loop for a while. */
async function sha256(body: Buffer | string): Promise<string> {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  return Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex')
}

async function readText(answer: http.IncomingMessage, { operation }: S3Request): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    length += chunk.length
    if (length > ANSWER_MAX_BYTES) throw new S3Failure(operation, null, 'the answer is too long')
  }
  return Buffer.concat(chunks).toString()
}

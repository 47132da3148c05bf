import { type ConversionFailure, OFFICE_FORMAT } from '@lectern/protocol'
import { expect } from 'vitest'
import type { TestServer } from '../../testing/server.ts'
import { metadataOf } from './participant-upload.ts'
import { openWorker, sha256, type TestWorker } from './worker.ts'

const HOUR_MS = 3_600_000
const ANNOUNCEMENT_MS = 10_000
const TUS = { 'tus-resumable': '1.0.0' }

/** A converter whose pages a test chooses. */
export class TestConverter {
  readonly #server: TestServer
  readonly #worker: TestWorker
  readonly #held: string[] = []
  #formats: readonly string[] = []
  /** The converter does not poll: however long a test takes, it stays connected. */
  readonly #announcements = setInterval(() => this.#announce(), ANNOUNCEMENT_MS)

  private constructor(server: TestServer, worker: TestWorker) {
    this.#server = server
    this.#worker = worker
  }

  /** Resolves when the server knows it. */
  static async open(server: TestServer): Promise<TestConverter> {
    const worker = await openWorker(server, 'converter', 'jobs.converter')
    const converter = new TestConverter(server, worker)
    await converter.#announce()
    await expect.poll(converter.#info).toMatchObject({ slides_available: true })
    return converter
  }

  /** From now on it converts office documents, too. Resolves when the server knows it. */
  async takeOffice(): Promise<void> {
    this.#formats = [OFFICE_FORMAT]
    await this.#announce()
    await expect.poll(this.#info).toMatchObject({ office_slides_available: true })
  }

  #announce(): Promise<void> {
    const { store, userId } = this.#worker
    const activeAtMs = Date.now()
    const officeAtMs = this.#formats.length > 0 ? activeAtMs : 0
    return store.recordWorker({ kind: 'conversion', userId, activeAtMs, languages: [], officeAtMs })
  }

  #info = async () => (await this.#server.call('GET', '/api/v1.0/server_info')).body

  get token(): string {
    return this.#worker.token
  }

  /** Leases the job of the file. */
  async lease(fileId: string): Promise<string> {
    const nowMs = Date.now()
    const job = await this.#worker.store.lease(
      { kind: 'conversion', holding: this.#held, expiredAtMs: nowMs, formats: this.#formats },
      { owner: this.#worker.owner, nowMs, untilMs: nowMs + HOUR_MS },
    )
    expect(job?.params).toMatchObject({ file_id: fileId })
    this.#held.push(job?.id ?? '')
    return job?.id ?? ''
  }

  async upload(jobId: string, path: string, contentType: string, bytes: Buffer) {
    const begun = await this.#server.call('POST', '/api/storage/uploads', {
      token: this.token,
      headers: {
        ...TUS,
        'upload-length': String(bytes.length),
        'upload-metadata': metadataOf({
          job_id: jobId,
          path,
          content_type: contentType,
          sha256: sha256(bytes),
        }),
      },
    })
    expect(begun.status).toBe(201)
    return this.#server.call('PATCH', begun.headers.location as string, {
      token: this.token,
      raw: bytes,
      headers: { ...TUS, 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' },
    })
  }

  /** Uploads a page with one picture, or one that cannot be shown. */
  async addPage(
    jobId: string,
    pageNumber: number,
    pageCount: number,
    failure: ConversionFailure | null = null,
  ) {
    const picture = await this.upload(
      jobId,
      `pages/${pageNumber}/960.png`,
      'image/png',
      Buffer.from('a picture'),
    )
    const page = {
      page_number: pageNumber,
      page_count: pageCount,
      width: 1920,
      height: 1080,
      failure,
      blob_ids: failure ? {} : { '960': picture.headers['upload-blob-id'] },
      lines: [{ text: 'Fractions', box: [1, 2, 3, 4] }],
    }
    const json = Buffer.from(JSON.stringify(page))
    return this.upload(jobId, `pages/${pageNumber}/page.json`, 'application/json', json)
  }

  close() {
    clearInterval(this.#announcements)
    return this.#worker.close()
  }
}

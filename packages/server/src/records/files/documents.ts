import {
  CONVERTED_PAGE_MAX_BYTES,
  type ConversionFailure,
  ConversionResult,
  ConvertedPage,
  ensure,
  isOfficeType,
  OFFICE_FORMAT,
  parseJson,
} from '@lectern/protocol'
import type { JsonObject } from '@lectern/protocol/control'
import { shape } from '../../platform/shape.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { Job } from '../jobs/ports.ts'
import type { Blob, BlobStore, ConferenceFile, DocumentNotice, DocumentPage, PagePart } from '../ports.ts'
import { readAll } from '../read-all.ts'
import { documentScope, fileOfScope } from '../scope.ts'
import type { FileStore } from '../stores/files.ts'

interface DocumentsOptions {
  store: FileStore
  blobs: BlobStore
  jobs: () => Pick<Jobs, 'convert' | 'cancel'>
  /** Called when a page was added, and when the conversion has ended. */
  onChanged: (notice: DocumentNotice) => void
}

/** A file and the pages that are done. */
export interface Document {
  file: ConferenceFile
  pages: DocumentPage[]
}

/** The last file of a page: with it, the page is complete. */
const PAGE_FILE = /^pages\/[1-9][0-9]*\/page\.json$/
const JOB_DIGITS = 24

const readPage = shape('page', ConvertedPage)
const readResult = shape('result', ConversionResult)

/** The job of a file has an id that follows from the file's, so that beginning it again begins no other one. */
export const conversionOf = (fileId: string): string => `job_${fileId.slice(2, 2 + JOB_DIGITS)}`

/** Documents and images that a converter makes into pages (docs/slides.md). */
export class Documents {
  readonly #parts: DocumentsOptions

  constructor(parts: DocumentsOptions) {
    this.#parts = parts
  }

  /** Idempotent. */
  convert({ id, contentType, sessionId, conferenceTag, size }: ConferenceFile): Promise<Job> {
    const format = isOfficeType(contentType) ? { format: OFFICE_FORMAT } : {}
    const params = { file_id: id, content_type: contentType, size, ...format }
    return this.#parts.jobs().convert(conversionOf(id), { sessionId, tag: conferenceTag, params })
  }

  /**
   * Resumes for the sweep: a crash may have prevented the job, or the end of the conversion; an operator may have
   * cancelled it.
   */
  async resume(file: ConferenceFile): Promise<void> {
    const job = await this.convert(file)
    if (job.state.is === 'failed' || job.state.is === 'cancelled') await this.fail(job)
  }

  async cancel(fileId: string): Promise<void> {
    await this.#parts.jobs().cancel(conversionOf(fileId))
  }

  async find(fileId: string): Promise<Document | null> {
    const file = await this.#parts.store.find(fileId)
    return file && file.state !== 'removing' ? this.pagesOf(file) : null
  }

  async pagesOf(file: ConferenceFile): Promise<Document> {
    return { file, pages: await this.#parts.store.pages(file.id) }
  }

  /**
   * A converter has uploaded a file; the last one of a page adds the page. Idempotent: the first one counts. Throws
   * `invalid_argument`.
   */
  async onUploaded(blob: Blob): Promise<void> {
    const fileId = fileOfScope(blob.scope)
    if (fileId === null || !PAGE_FILE.test(blob.name)) return
    const { store, blobs } = this.#parts
    ensure(blob.size <= CONVERTED_PAGE_MAX_BYTES, 'invalid_argument', 'The page is too large.')
    const page = readPage(parseJson((await readAll(await blobs.read(blob))).toString()))
    const isNamed = blob.name === `pages/${page.page_number}/page.json` && page.page_number <= page.page_count
    ensure(isNamed, 'invalid_argument', 'The page has another number.')
    const pictures = Object.entries(page.blob_ids) as [PagePart, string][]
    for (const [, id] of pictures) {
      const picture = await blobs.find(id)
      const isOfJob = picture?.jobId === blob.jobId && picture.scope === blob.scope
      ensure(isOfJob, 'invalid_argument', `${id} is no file of this job.`)
    }
    const { page_number: pageNumber, width, height, failure } = page
    const blobIds = Object.fromEntries([...pictures, ['text', blob.id]])
    const isNew = await store.addPage(
      fileId,
      { pageNumber, width, height, failure, blobIds },
      page.page_count,
    )
    if (isNew) await this.#notify(fileId)
  }

  /** The result of a finished job. Throws `invalid_argument` while pages are missing. */
  async save(job: Job, result: JsonObject): Promise<void> {
    const { failure, page_count: pageCount } = readResult(result)
    const fileId = fileOfJob(job)
    const pages = await this.#parts.store.pages(fileId)
    const file = await this.#parts.store.find(fileId)
    const isComplete = failure !== null || pages.length === pageCount || file?.state !== 'converting'
    ensure(isComplete, 'invalid_argument', `${pages.length} of ${pageCount} pages were uploaded.`)
    await this.#end(fileId, failure ?? commonFailure(pages), pages.length || null)
  }

  /** The job has ended without a result. */
  async fail(job: Job): Promise<void> {
    const fileId = fileOfJob(job)
    const pages = await this.#parts.store.pages(fileId)
    await this.#end(fileId, 'converter_failed', pages.length || null)
  }

  async #end(fileId: string, failure: ConversionFailure | null, pageCount: number | null): Promise<void> {
    const state = failure ? 'failed' : 'ready'
    if (await this.#parts.store.endConversion(fileId, { state, failure, pageCount }))
      await this.#notify(fileId, { hasEnded: true })
  }

  async #notify(fileId: string, end: Pick<DocumentNotice, 'hasEnded'> = {}): Promise<void> {
    const file = await this.#parts.store.find(fileId)
    if (file) this.#parts.onChanged({ fileId, conferenceTag: file.conferenceTag, ...end })
  }
}

/** A document of which no page can be shown cannot be shown. */
const commonFailure = (pages: DocumentPage[]): ConversionFailure | null =>
  pages.length > 0 && pages.every(({ failure }) => failure !== null) ? (pages[0]?.failure ?? null) : null

export const fileOfJob = ({ params }: Job): string => String(params.file_id)

export const scopeOfJob = (job: Job): string => documentScope(fileOfJob(job))

import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type ConversionFailure, type ConvertedPage, isOfficeType, type PageWidth } from '@lectern/protocol'
import type { HeldJob, JobEnd, UploadFile } from '@lectern/worker-kit'
import { convertToPdf } from '../office/convert-to-pdf.ts'
import { CannotBeShown } from '../pages/failure.ts'
import { drawImage } from '../pages/image.ts'
import { type DrawnPage, drawPage } from '../pages/page.ts'
import { readPageSizes } from '../pages/pdf-info.ts'
import type { Picture } from '../pages/pictures.ts'
import type { Sandbox } from '../sandbox/index.ts'

/** How a document is drawn. */
interface Drawing {
  pageCount: number
  draw: (pageNumber: number, signal: AbortSignal) => Promise<DrawnPage>
}

type Held = Pick<HeldJob, 'job' | 'folder' | 'stop' | 'drain' | 'progress' | 'download' | 'upload'>

/** Processor time. */
export interface TimeLimits {
  /** For drawing a page. */
  pageMs: number
  /** For making a PDF of an office document. */
  officeMs: number
}
const LIMITS: TimeLimits = { pageMs: 10_000, officeMs: 60_000 }

/**
 * Converts the document of a job into pages, which are uploaded one by one, so that the first one is shown early. A page
 * that cannot be shown is uploaded as such. After a kill the job continues with the missing pages. An office document becomes
 * a PDF first.
 */
export async function convert(
  held: Held,
  sandbox: Sandbox,
  limits: Partial<TimeLimits> = {},
): Promise<JobEnd> {
  const signal = AbortSignal.any([held.stop, held.drain])
  try {
    const file = join(held.folder, 'document')
    await held.download(`/api/v1.0/files/${held.job.params.file_id}/content`, file)
    const contentType = String(held.job.params.content_type)
    const drawing = await open(sandbox, { file, contentType }, { ...LIMITS, ...limits }, signal)
    await convertPages(held, drawing, signal)
    return done(null, drawing.pageCount)
  } catch (error) {
    if (error instanceof CannotBeShown) return done(error.reason, 0)
    // The document was removed: nobody waits for it.
    if (held.stop.aborted && held.stop.reason === 'requested')
      return { outcome: 'failed', result: { reason: 'stopped' } }
    throw error
  }
}

const done = (failure: ConversionFailure | null, page_count: number): JobEnd => ({
  outcome: 'done',
  result: { failure, page_count },
})

async function open(
  sandbox: Sandbox,
  { file, contentType }: { file: string; contentType: string },
  { pageMs, officeMs }: TimeLimits,
  signal: AbortSignal,
): Promise<Drawing> {
  if (contentType.startsWith('image/'))
    return { pageCount: 1, draw: (_, ending) => drawImage(sandbox, file, contentType, ending) }
  if (contentType === 'application/pdf') return openPdf(sandbox, file, pageMs, signal)
  if (!isOfficeType(contentType)) throw new CannotBeShown('unsupported')
  const pdf = `${file}.pdf`
  await writeFile(pdf, await convertToPdf(sandbox, { file, type: contentType }, officeMs, signal))
  return openPdf(sandbox, pdf, pageMs, signal)
}

async function openPdf(
  sandbox: Sandbox,
  file: string,
  pageMs: number,
  signal: AbortSignal,
): Promise<Drawing> {
  const sizes = await readPageSizes(sandbox, file, signal)
  const draw: Drawing['draw'] = (number, ending) =>
    drawPage(sandbox, file, { number, size: sizes[number - 1] ?? { width: 0, height: 0 } }, pageMs, ending)
  return { pageCount: sizes.length, draw }
}

/** A page is drawn while the one before it is uploaded. */
async function convertPages(held: Held, { pageCount, draw }: Drawing, signal: AbortSignal): Promise<void> {
  let uploading = Promise.resolve()
  for (let number = firstMissing(held); number <= pageCount; number++) {
    signal.throwIfAborted()
    const page = await draw(number, signal).catch(error => {
      if (error instanceof CannotBeShown) return error.reason
      throw error
    })
    await uploading
    uploading = upload(held, number, pageCount, page)
    uploading.catch(() => {}) // reported below
  }
  await uploading
}

/** The first page to draw: the reported ones are all stored. */
const firstMissing = ({ job: { details } }: Held): number =>
  (typeof details.pages_done === 'number' ? details.pages_done : 0) + 1

async function upload(held: Held, number: number, pageCount: number, page: DrawnPage | ConversionFailure) {
  const folder = join(held.folder, `page-${number}`)
  await mkdir(folder, { recursive: true })
  const pictures = typeof page === 'string' ? [] : (Object.entries(page.pictures) as [PageWidth, Picture][])
  const files = await Promise.all(
    pictures.map(async ([width, { bytes, contentType }]): Promise<UploadFile> => {
      const file = join(folder, width)
      await writeFile(file, bytes)
      return {
        file,
        path: `pages/${number}/${width}.${contentType === 'image/png' ? 'png' : 'jpg'}`,
        contentType,
      }
    }),
  )
  const stored = await held.upload(files)
  const about: ConvertedPage = {
    page_number: number,
    page_count: pageCount,
    ...(typeof page === 'string' ? { width: 16, height: 9, failure: page } : { ...page.size, failure: null }),
    blob_ids: Object.fromEntries(pictures.map(([width], i) => [width, stored[i]?.blobId ?? ''])),
    lines: typeof page === 'string' ? [] : page.lines,
  }
  const file = join(folder, 'page.json')
  await writeFile(file, JSON.stringify(about))
  await held.upload([{ file, path: `pages/${number}/page.json`, contentType: 'application/json' }])
  await rm(folder, { recursive: true, force: true })
  held.progress({ active: true, details: { pages_done: number, page_count: pageCount } })
}

import type { TextLine } from '@lectern/protocol'
import type { Sandbox } from '../sandbox/index.ts'
import { CannotBeShown, reasonOf } from './failure.ts'
import type { Size } from './pdf-info.ts'
import { fitted, type Pictures, scale } from './pictures.ts'
import { readLines } from './text-lines.ts'

export interface DrawnPage {
  /** The size of the largest picture. */
  size: Size
  pictures: Pictures
  lines: TextLine[]
}

const PICTURE_MAX_BYTES = 40_000_000
const TEXT_MAX_BYTES = 20_000_000
/** A page that takes too much time or memory is tried once more in this size. */
const SMALL_WIDTH = 960

/** Draws a page of a PDF in all widths, and reads its text. `withinMs`: of processor time. Throws CannotBeShown. */
export async function drawPage(
  sandbox: Sandbox,
  file: string,
  page: { number: number; size: Size },
  withinMs: number,
  signal?: AbortSignal,
): Promise<DrawnPage> {
  if (!(page.size.width > 0 && page.size.height > 0)) throw new CannotBeShown('damaged')
  const largest = fitted(page.size)
  const draw = async (size: Size) => {
    const bytes = await render(sandbox, file, page.number, size, withinMs, signal)
    return { size, pictures: await scale(sandbox, { bytes, format: 'tiff_pipe', size }, withinMs, signal) }
  }
  const drawn = await draw(largest).catch(error => {
    const mayHelp = error instanceof CannotBeShown && ['too_slow', 'too_large'].includes(error.reason)
    if (!mayHelp) throw error
    return draw(smaller(largest))
  })
  return { ...drawn, lines: await readText(sandbox, file, page.number, withinMs, signal) }
}

const smaller = ({ width, height }: Size): Size => {
  const scaleBy = Math.min(1, SMALL_WIDTH / width)
  return {
    width: Math.max(1, Math.round(width * scaleBy)),
    height: Math.max(1, Math.round(height * scaleBy)),
  }
}

/** An uncompressed TIFF: compressing a PNG takes 20 times as long as drawing most pages. */
async function render(
  sandbox: Sandbox,
  file: string,
  number: number,
  { width, height }: Size,
  withinMs: number,
  signal?: AbortSignal,
): Promise<Buffer> {
  const draw = [
    ...['pdftocairo', '-tiff', '-tiffcompression', 'none', '-singlefile', '-cropbox'],
    ...['-f', String(number), '-l', String(number)],
    ...['-scale-to-x', String(width), '-scale-to-y', String(height), 'document.pdf', 'page'],
  ]
  const task = {
    // pdftocairo writes TIFF to files only.
    command: ['sh', '-c', '"$@" && cat page.tif', 'sh', ...draw],
    files: { 'document.pdf': file },
    withinMs,
    maxBytes: PICTURE_MAX_BYTES,
  }
  const result = await sandbox.run(task, signal)
  const bytes = result.outputs[0]
  if (result.code !== 0 || !bytes || bytes.length === 0) throw new CannotBeShown(reasonOf(result))
  return bytes
}

/** A page without readable text is shown all the same. */
async function readText(
  sandbox: Sandbox,
  file: string,
  number: number,
  withinMs: number,
  signal?: AbortSignal,
): Promise<TextLine[]> {
  const pages = ['-f', String(number), '-l', String(number)]
  const task = {
    command: ['pdftotext', '-bbox-layout', '-cropbox', '-enc', 'UTF-8', ...pages, 'document.pdf', '-'],
    files: { 'document.pdf': file },
    withinMs,
    maxBytes: TEXT_MAX_BYTES,
  }
  const { code, outputs } = await sandbox.run(task, signal)
  return code === 0 ? readLines(outputs[0]?.toString() ?? '') : []
}

import { DOCUMENT_PAGES_MAX } from '@lectern/protocol'
import type { Sandbox } from '../sandbox/index.ts'
import { CannotBeShown, reasonOf } from './failure.ts'

export interface Size {
  width: number
  height: number
}

const WITHIN_MS = 10_000
const MAX_BYTES = 1_000_000

/** The sizes of the pages in points, as they are shown. Throws CannotBeShown. */
export async function readPageSizes(sandbox: Sandbox, file: string, signal?: AbortSignal): Promise<Size[]> {
  const last = String(DOCUMENT_PAGES_MAX)
  const task = {
    command: ['pdfinfo', '-f', '1', '-l', last, 'document.pdf'],
    files: { 'document.pdf': file },
    withinMs: WITHIN_MS,
    maxBytes: MAX_BYTES,
  }
  const result = await sandbox.run(task, signal)
  const text = result.outputs[0]?.toString('latin1') ?? ''
  const count = Number(/^Pages:\s+(\d+)$/m.exec(text)?.[1] ?? Number.NaN)
  if (result.code !== 0 || Number.isNaN(count)) throw new CannotBeShown(reasonOf(result))
  if (count < 1) throw new CannotBeShown('empty')
  if (count > DOCUMENT_PAGES_MAX) throw new CannotBeShown('too_many_pages')
  const sizes = sizesIn(text)
  // A page without a size is damaged; the others may be shown.
  return Array.from({ length: count }, (_, index) => sizes.get(index + 1) ?? { width: 0, height: 0 })
}

function sizesIn(text: string): Map<number, Size> {
  const sizes = new Map<number, Size>()
  for (const [, page, width, height] of text.matchAll(/^Page\s+(\d+) size:\s+([\d.e+]+) x ([\d.e+]+) pts/gm))
    sizes.set(Number(page), { width: Number(width), height: Number(height) })
  for (const [, page, degrees] of text.matchAll(/^Page\s+(\d+) rot:\s+(\d+)/gm)) {
    const size = sizes.get(Number(page))
    if (size && Number(degrees) % 180 !== 0)
      sizes.set(Number(page), { width: size.height, height: size.width })
  }
  return sizes
}

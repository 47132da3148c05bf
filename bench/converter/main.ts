/**
 * `npm run converter -w bench`: pages per second of the converter, which draws three pictures of each page in its sandbox
 * and reads the text, relative to pdftocairo alone, which draws one PNG of the largest width.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { convert, FakeHeldJob, openSandbox, pdf, textAt } from '@lectern/converter/testing'
import { size } from '../support/size.ts'
import { spread } from '../support/statistics.ts'

const PAGES = size('PAGES', 30, 2)
const ROUNDS = size('ROUNDS', 5, 1)

/** A slide: a title, ten lines of text and a drawing. */
const slide = (page: number) => {
  const lines = Array.from({ length: 10 }, (_, i) =>
    textAt(`Line ${i + 1} of slide ${page}`, 60, 480 - 40 * i),
  )
  const drawing = Array.from({ length: 200 }, (_, i) => `${(i * 37) % 842} ${(i * 53) % 595} m 421 300 l S`)
  return { content: lines.join('') + drawing.join('\n') }
}

const folder = mkdtempSync(join(tmpdir(), 'lectern-bench-'))
const document = pdf(Array.from({ length: PAGES }, (_, i) => slide(i + 1)))
const file = join(folder, 'slides.pdf')
writeFileSync(file, document)

const sandbox = await openSandbox({ isSandboxed: true })
const rates = { converter: [] as number[], bare: [] as number[], firstMs: [] as number[] }
for (let round = 0; round < ROUNDS; round++) {
  const job = new FakeHeldJob(join(folder, `job-${round}`), document, 'application/pdf')
  const begunAt = performance.now()
  job.onUpload = path => {
    if (path === 'pages/1/page.json') rates.firstMs.push(performance.now() - begunAt)
  }
  await convert(job, sandbox)
  rates.converter.push((PAGES * 1000) / (performance.now() - begunAt))
  const bareAt = performance.now()
  execFileSync('pdftocairo', ['-png', '-scale-to-x', '1920', '-scale-to-y', '-1', file, join(folder, 'bare')])
  rates.bare.push((PAGES * 1000) / (performance.now() - bareAt))
}
rmSync(folder, { recursive: true })
console.log(
  `converter: ${spread(rates.converter, 1)} pages/s, the first one after ${spread(rates.firstMs)} ms`,
)
console.log(`pdftocairo alone: ${spread(rates.bare, 1)} pages/s`)
const ratios = rates.converter.map((rate, i) => rate / (rates.bare[i] ?? Number.NaN))
console.log(`ratio: ${spread(ratios, 2)}`)

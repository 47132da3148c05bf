import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSandbox, type Sandbox } from '../sandbox/index.ts'
import { FakeHeldJob } from '../testing/held-job.ts'
import { png, sizeOf } from '../testing/images.ts'
import { pdf, textAt } from '../testing/pdf.ts'
import { convert } from './convert.ts'

const root = mkdtempSync(join(tmpdir(), 'lectern-converter-'))
let sandbox: Sandbox
let jobs = 0
beforeAll(async () => {
  sandbox = await openSandbox({ isSandboxed: true })
})
afterAll(() => rmSync(root, { recursive: true }))

const held = (document: Buffer, type = 'application/pdf', details = {}) =>
  new FakeHeldJob(join(root, `job-${++jobs}`), document, type, details)

describe('a conversion', () => {
  it('uploads each page in three widths, and its text, before the next one', async () => {
    const job = held(pdf([{ content: textAt('Fractions & more') }, {}]))
    expect(await convert(job, sandbox)).toEqual({ outcome: 'done', result: { failure: null, page_count: 2 } })
    const paths = [...job.files.keys()]
    expect(paths.map(path => path.replace(/\.(png|jpg)$/, ''))).toEqual([
      ...['pages/1/320', 'pages/1/960', 'pages/1/1920', 'pages/1/page.json'],
      ...['pages/2/320', 'pages/2/960', 'pages/2/1920', 'pages/2/page.json'],
    ])
    const widths = paths
      .filter(path => path.startsWith('pages/1') && !path.endsWith('json'))
      .map(path => sizeOf(job.files.get(path) as Buffer).width)
    expect(widths).toEqual([320, 960, 1920])
    const [first] = job.pages
    expect(first).toMatchObject({ page_number: 1, page_count: 2, width: 1920, height: 1357, failure: null })
    expect(first?.lines.map(({ text }) => text)).toEqual(['Fractions & more'])
    expect(Object.keys(first?.blob_ids ?? {})).toEqual(['320', '960', '1920'])
    expect(job.reports.at(-1)).toEqual({ active: true, details: { pages_done: 2, page_count: 2 } })
  })

  it('continues after the pages that an earlier attempt has reported', async () => {
    const job = held(pdf([{}, {}, {}]), 'application/pdf', { pages_done: 2, page_count: 3 })
    expect(await convert(job, sandbox)).toMatchObject({ outcome: 'done', result: { page_count: 3 } })
    expect(job.pages.map(each => each.page_number)).toEqual([3])
  })

  it('is interrupted by a shutdown, and ends when its document was removed', async () => {
    const draining = held(pdf([{}, {}]))
    draining.onUpload = () => draining.requestDrain()
    await expect(convert(draining, sandbox)).rejects.toThrow('drain')
    const stopped = held(pdf([{}, {}]))
    stopped.requestStop()
    expect(await convert(stopped, sandbox)).toEqual({ outcome: 'failed', result: { reason: 'stopped' } })
  })

  it('makes one page of an image, upright, white where it is transparent', async () => {
    const job = held(png(400, 200, { isTransparent: true }), 'image/png')
    expect(await convert(job, sandbox)).toMatchObject({ result: { failure: null, page_count: 1 } })
    expect(job.pages).toMatchObject([{ width: 400, height: 200, lines: [] }])
    const picture = job.files.get('pages/1/320.png') ?? job.files.get('pages/1/320.jpg')
    expect(sizeOf(picture as Buffer)).toEqual({ width: 320, height: 160 })
  })
})

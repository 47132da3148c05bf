import type { ImageData } from '@lectern/board'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { checkAppearance } from '../../../testing/appearance.ts'
import { colorAt, paper, renderBoard } from '../../../testing/board.tsx'
import { aDocument, FakeFiles } from '../../../testing/board-files.ts'
import { aPage, PAGE } from '../testing.ts'
import { chooseFiles } from './choose-files.ts'

const WHITE = '255,255,255'
const button = (name: string) => page.getByRole('button', { name, exact: true })
const tools = page.getByRole('region', { name: 'Drawing tools' })

afterEach(() => vi.restoreAllMocks())

const slide = (page_id: string, page_number: number) =>
  aPage(page_id, { background: { kind: 'document', file_id: 'slides', page_number } })
const pdf = () => new File(['%PDF-1.7'], 'Fractions.pdf', { type: 'application/pdf' })
const png = () => new File(['an image'], 'graph.png', { type: 'image/png' })

function bring(type: 'paste' | 'drop', files: readonly File[], [x, y] = [800, 450]): void {
  const data = new DataTransfer()
  for (const each of files) data.items.add(each)
  const { left, top, width } = paper().getBoundingClientRect()
  const at = { clientX: left + (x * width) / 1_600, clientY: top + (y * width) / 1_600 }
  const parts = { bubbles: true, cancelable: true }
  paper().dispatchEvent(
    type === 'drop'
      ? new DragEvent('drop', { ...parts, ...at, dataTransfer: data })
      : new ClipboardEvent('paste', { ...parts, clipboardData: data }),
  )
}

describe('slides', () => {
  it('are the background of their pages, with what is drawn on top, in small too, and read aloud', async () => {
    const files = new FakeFiles()
    files.files.set('slides', aDocument('slides', { page_count: 2 }))
    files.colors.set('slides/1', 'rgb(0, 98, 177)')
    files.texts.set('slides/1', ['Fractions', 'part 1'])
    await renderBoard({ index: { pages: [aPage(), slide('slide001', 1)] } })
    await expect.poll(() => files.requests.some(each => /pages\/1\/(960|1920)$/.test(each))).toBe(true)
    await userEvent.keyboard('{PageDown}')
    await expect.poll(() => colorAt(400, 200)).toBe('0,98,177')
    await expect.element(page.getByText('Fractions part 1')).toBeInTheDocument()
    await button('Page 2 of 2, Pages').click()
    await expect.poll(() => files.requests).toContain('GET /api/v1.0/files/slides/pages/1/320')
    await checkAppearance('slides', { selector: 'dialog' })
  })

  it('say which page could not be shown', async () => {
    const files = new FakeFiles()
    const failure = { reason: 'too_slow', message: '' }
    const pages = [{ page_number: 1, width: 1920, height: 1080, failure }]
    files.files.set('slides', aDocument('slides', { pages }))
    await renderBoard({ index: { pages: [slide(PAGE, 1)] } })
    await expect.element(page.getByText('Page 1 could not be shown.')).toBeVisible()
  })

  it('are uploaded when they are dropped, and the first page is shown while others are converted', async () => {
    const files = new FakeFiles()
    files.colors.set('uploaded/1', 'rgb(0, 98, 177)')
    const { board } = await renderBoard()
    const document = aDocument('uploaded', { page_count: 2, state: 'converting' })
    files.files.set('uploaded', document)
    bring('drop', [pdf()])
    await expect.element(page.getByText(/^uploaded.pdf: 0 of 2 pages$/)).toBeVisible()
    const background = (page_number: number) => ({
      kind: 'document' as const,
      file_id: 'uploaded',
      page_number,
    })
    board.change({ pages: [aPage(), aPage('slide001', { background: background(1) })] })
    await expect.poll(() => board.index.shown_page_id).toBe('slide001')
    await expect.element(page.getByText(/^uploaded.pdf: 1 of 2 pages$/)).toBeVisible()
    await expect.poll(() => colorAt(400, 200)).toBe('0,98,177')
    files.files.set('uploaded', { ...document, state: 'ready' })
    board.change({
      pages: [...board.index.pages, aPage('slide002', { background: background(2) })],
    })
    await expect.element(page.getByText(/^uploaded.pdf/)).not.toBeInTheDocument()
  })

  it('say at once how many of their pages the board has space for, and are not uploaded to a full one', async () => {
    const files = new FakeFiles()
    const { board } = await renderBoard()
    files.files.set('uploaded', aDocument('uploaded', { page_count: 300, state: 'converting' }))
    const former = (count: number) =>
      Array.from({ length: count }, (_, at) => aPage(at === 0 ? PAGE : `former${1_000 + at}`))
    const added = (page_number: number) =>
      aPage(`slide${1_000 + page_number}`, {
        background: { kind: 'document', file_id: 'uploaded', page_number },
      })
    bring('drop', [pdf()])
    board.change({ pages: [...former(198), added(1)] })
    await expect.element(page.getByText('The board has space for the first 2 of them.')).toBeVisible()
    await checkAppearance('slides-cut')
    board.change({ pages: [...former(198), added(1), added(2)] })
    await expect.element(page.getByText(/^The board has no space for all pages/)).toBeVisible()
    await expect.element(page.getByText(/^uploaded.pdf/)).not.toBeInTheDocument()
    files.requests.length = 0
    bring('drop', [pdf()])
    await expect.element(page.getByText('Uploading Fractions.pdf')).not.toBeInTheDocument()
    expect(files.requests.filter(each => each.startsWith('POST'))).toEqual([])
  })

  it('are cancelled while they are uploaded', async () => {
    const files = new FakeFiles()
    files.mayUpload = new Promise(() => {})
    await renderBoard()
    bring('drop', [pdf()])
    await expect.element(page.getByText('Uploading Fractions.pdf')).toBeVisible()
    await checkAppearance('upload')
    await button('Cancel').click()
    await expect.element(page.getByText('Uploading Fractions.pdf')).not.toBeInTheDocument()
    await expect.poll(() => files.requests).toContain('DELETE /api/v1.0/files/uploaded')
  })

  it('are refused with a reason', async () => {
    const files = new FakeFiles()
    files.refusal = { status: 503, code: 'temporarily_unavailable' }
    await renderBoard()
    bring('drop', [pdf()])
    await expect.element(page.getByText(/^Slides and images cannot be prepared/)).toBeVisible()
    files.refusal = null
    const failure = { reason: 'encrypted', message: '' }
    files.files.set(
      'uploaded',
      aDocument('uploaded', { state: 'failed', failure, page_count: null, pages: [] }),
    )
    bring('drop', [pdf()])
    await expect.element(page.getByText(/^The document is protected by a password/)).toBeVisible()
  })

  it('are uploaded again by a press after they could not be checked for viruses', async () => {
    const files = new FakeFiles()
    files.refusal = { status: 424, code: 'scan_unavailable' }
    await renderBoard()
    bring('drop', [pdf()])
    await expect.element(page.getByText(/^Files cannot be checked for viruses/)).toBeVisible()
    await checkAppearance('not-scanned')
    files.refusal = null
    files.mayUpload = new Promise(() => {})
    await button('Try again').click()
    await expect.element(page.getByText('Uploading Fractions.pdf')).toBeVisible()
    await expect.element(page.getByText(/^Files cannot be checked/)).not.toBeInTheDocument()
    // Else its requests are made in the next test.
    await expect.poll(() => files.requests.filter(each => each.startsWith('PATCH'))).toHaveLength(1)
  })
})

describe('office documents', () => {
  const ZIP = 'PK\x03\x04'
  const pptx = () => new File([ZIP], 'Fractions.pptx')

  it('are refused before their upload where the server takes none, whatever their names', async () => {
    const files = new FakeFiles()
    await renderBoard()
    for (const file of [pptx(), new File([ZIP], 'Fractions.pdf', { type: 'application/pdf' })]) {
      bring('drop', [file])
      const note = page.getByText('This server cannot open office documents.', { exact: false })
      await expect.element(note).toBeVisible()
      await checkAppearance('no-office')
    }
    expect(files.requests.filter(each => each.startsWith('POST'))).toEqual([])
  })

  it('are uploaded where the server takes them, and may look different', async () => {
    const files = new FakeFiles()
    files.isOffice = true
    files.files.set('uploaded', aDocument('uploaded', { state: 'converting', page_count: null }))
    await renderBoard()
    bring('drop', [pptx()])
    await expect.element(page.getByText('Preparing uploaded.pdf')).toBeVisible()
    await expect.element(page.getByText('It may look different here.', { exact: false })).toBeVisible()
    await checkAppearance('office')
    const failure = { reason: 'too_slow', message: '' }
    files.files.set(
      'uploaded',
      aDocument('uploaded', { state: 'failed', failure, page_count: null, pages: [] }),
    )
    await expect.element(page.getByText(/^The document takes too long to prepare/)).toBeVisible()
  })

  it('of another kind are refused with the kinds that are possible', async () => {
    const files = new FakeFiles()
    files.isOffice = true
    files.refusal = { status: 415, code: 'unsupported_media_type' }
    await renderBoard()
    bring('drop', [new File([new Uint8Array([0xd0, 0xcf, 0x11, 0xe0])], 'Fractions.ppt')])
    await expect.element(page.getByText(/^Office documents can be PPTX/)).toBeVisible()
  })

  it.each([
    [false, 'PDF or images.', 'application/pdf,image/png,image/jpeg,image/webp'],
    [true, 'PDF, PowerPoint, Word, OpenDocument or images.', '.pptx'],
  ])('are offered by the dialog where the server takes them: %s', async (isOffice, text, type) => {
    const files = new FakeFiles()
    files.isOffice = isOffice
    await renderBoard()
    const click = vi.spyOn(HTMLInputElement.prototype, 'click').mockImplementation(() => {})
    await button('Add a page').click()
    await expect.element(page.getByText(text, { exact: false })).toBeVisible()
    await checkAppearance('add-page', { selector: 'dialog' })
    await button('Slides…').click()
    expect(click).toHaveBeenCalledOnce()
    const accepted = document.querySelector<HTMLInputElement>('input[type=file]')?.accept ?? ''
    expect(isOffice ? accepted.split(',') : [accepted]).toContain(type)
    document.querySelector('body > input[type=file]')?.dispatchEvent(new Event('cancel'))
  })
})

describe('images', () => {
  const uploaded = () =>
    aDocument('uploaded', {
      purpose: 'board_image',
      pages: [{ page_number: 1, width: 400, height: 200, failure: null }],
    })

  it('are put where they are dropped, and made larger', async () => {
    const files = new FakeFiles()
    files.files.set('uploaded', uploaded())
    files.colors.set('uploaded/1', 'rgb(0, 120, 90)')
    const { board } = await renderBoard()
    bring('drop', [png()], [400, 200])
    await expect.poll(() => board.kinds()).toEqual(['image'])
    const [record] = [...board.page().values()]
    const { x, y, ...image } = (record as { data: ImageData }).data
    expect(image).toEqual({ width: 400, height: 200, file_id: 'uploaded', alt: 'graph' })
    // A drop has whole CSS pixels, which are not whole units of the page.
    expect(Math.hypot(x - 200, y - 100)).toBeLessThan(3)
    await expect.poll(() => colorAt(400, 200)).toBe('0,120,90')
    expect(colorAt(700, 200)).toBe(WHITE)
    await button('Larger').click()
    await expect.poll(() => [...board.page().values()][0]?.data).toMatchObject({ width: 500, x: x - 50 })
    await userEvent.keyboard('{Delete}')
    await expect.poll(() => board.kinds()).toEqual([])
  })

  it('are pasted into the middle of the page, also by a participant', async () => {
    const files = new FakeFiles()
    files.files.set('uploaded', uploaded())
    const { board } = await renderBoard({ isModerator: false })
    bring('paste', [png()])
    await expect.poll(() => [...board.page().values()][0]?.data).toMatchObject({ x: 600, y: 350 })
  })

  it('are chosen from the menu of the tools', async () => {
    new FakeFiles()
    await renderBoard({ isModerator: false })
    const click = vi.spyOn(HTMLInputElement.prototype, 'click').mockImplementation(() => {})
    await tools.getByRole('button', { name: 'More' }).click()
    await button('Image…').click()
    expect(click).toHaveBeenCalledOnce()
    const input = document.querySelector('input[type=file]')
    expect(input).toHaveProperty('accept', 'image/png,image/jpeg,image/webp')
    chooseFiles('', () => {})
    expect(document.querySelectorAll('body > input[type=file]')).toHaveLength(1)
    document.querySelector('body > input[type=file]')?.dispatchEvent(new Event('cancel'))
    expect(document.querySelector('input[type=file]')).toBeNull()
    await expect.element(button('Slides…')).not.toBeInTheDocument()
  })
})

it('a participant looks around in the deck, and goes back to what everybody sees', async () => {
  const { board } = await renderBoard({
    isModerator: false,
    index: { pages: [aPage(), aPage('page0002'), aPage('page0003')] },
  })
  await button('Next page').click()
  await expect.element(page.getByText('Page 2 of 3')).toBeVisible()
  await userEvent.keyboard('{PageDown}')
  await expect.element(page.getByText('Page 3 of 3')).toBeVisible()
  expect(board.index.shown_page_id).toBe(PAGE)
  await page.getByRole('button', { name: /^Back to the / }).click()
  await expect.element(page.getByText('Page 1 of 3')).toBeVisible()
})

it('a participant who may not look around sees what everybody sees', async () => {
  const { board } = await renderBoard({
    isModerator: false,
    index: { pages: [aPage(), aPage('page0002'), aPage('page0003')] },
  })
  await button('Next page').click()
  await expect.element(page.getByText('Page 2 of 3')).toBeVisible()
  board.change({ rights: { mode: 'everybody', look_around: false } })
  await expect.element(page.getByText('Page 1 of 3')).toBeVisible()
  await expect.element(button('Next page')).not.toBeInTheDocument()
  await userEvent.keyboard('{PageDown}')
  board.change({ shown_page_id: 'page0003' })
  await expect.element(page.getByText('Page 3 of 3')).toBeVisible()
  board.change({ rights: { mode: 'everybody' }, shown_page_id: PAGE })
  await expect.element(page.getByText('Page 1 of 3')).toBeVisible()
})

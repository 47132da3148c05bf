import { describe, expect, it } from 'vitest'
import type { BoardFile } from '../../sessions/board/ports.ts'
import { createHarness, TAG } from '../testing/control-harness.ts'
import { Drawer, strokeBody } from '../testing/drawer.ts'

const page = (pageNumber: number) => ({ pageNumber, width: 1920, height: 1440, failure: null })
const file = (fileId: string, pages: number, parts: Partial<BoardFile> = {}): BoardFile => ({
  fileId,
  conferenceTag: TAG,
  pages: Array.from({ length: pages }, (_, at) => page(at + 1)),
  ...parts,
})
const unknown = { status: 'rejected', error: { extensions: { reason: 'unknown_file' } } }
const committed = { status: 'committed' }

async function open() {
  const harness = await createHarness()
  const anna = new Drawer(await harness.enter('anna', 'moderator'))
  const { boards } = harness
  if (!boards) throw new Error('the server has no boards')
  let pages: { page_id: string; width: number; height: number; background: object }[] = []
  // Returns what has arrived, once.
  const deck = () => {
    for (const { name, body } of anna.client.events())
      if (name === 'board.changed' && 'pages' in body) pages = body.pages as unknown as typeof pages
    return pages
  }
  const numbers = () =>
    deck().map(each => ('page_number' in each.background ? each.background.page_number : 0))
  return { harness, anna, boards, deck, numbers }
}

describe('files on a board', () => {
  it('BOARD-16 are images of the own conference that are done', async () => {
    const { harness, anna } = await open()
    const put = (file_id: string) =>
      anna.client.command('board.put', {
        ...strokeBody(`image-of-${file_id}`),
        kind: 'image',
        data: { x: 0, y: 0, width: 100, height: 100, file_id },
      })
    harness.boardFiles.set('done', file('done', 1))
    harness.boardFiles.set('begun', file('begun', 0))
    harness.boardFiles.set('other', file('other', 1, { conferenceTag: 'other' }))
    expect(await put('done')).toMatchObject(committed)
    for (const id of ['begun', 'other', 'none']) expect(await put(id)).toMatchObject(unknown)
  })

  it('BOARD-16 are backgrounds of pages that moderators add', async () => {
    const { harness, anna } = await open()
    harness.boardFiles.set('slides', file('slides', 2))
    const add = (page_id: string, page_number: number) =>
      anna.client.command('board.page_add', {
        page_id,
        background: { kind: 'document', file_id: 'slides', page_number },
      })
    expect(await add('page0002', 2)).toMatchObject(committed)
    expect(await add('page0003', 3)).toMatchObject(unknown)
  })

  it('BOARD-16 become pages after the shown one while they are converted, in order', async () => {
    const { anna, boards, deck, numbers } = await open()
    await anna.client.command('board.page_add', { page_id: 'page0002' })
    await anna.client.command('board.page_show', { page_id: 'page0001' })
    await boards.decks.addSlides(file('slides', 1), false)
    await boards.decks.addSlides(file('slides', 3), false)
    expect(numbers()).toEqual([0, 1, 2, 3, 0])
    expect(deck()[1]).toMatchObject({ width: 1600, height: 1200 })
  })

  it('BOARD-16 are added once, also when a moderator removes a page meanwhile', async () => {
    const { anna, boards, deck, numbers } = await open()
    await boards.decks.addSlides(file('slides', 2), false)
    await anna.client.command('board.page_remove', { page_id: deck()[2]?.page_id ?? '' })
    await boards.decks.addSlides(file('slides', 3), false)
    await boards.decks.addSlides(file('slides', 3), true)
    expect(numbers()).toEqual([0, 1, 3])
  })

  it('BOARD-1 are a document of fifty pages, on which the next lesson goes on', async () => {
    const { harness, anna, boards, deck } = await open()
    await boards.decks.addSlides(file('slides', 50), true)
    const pages = deck()
    expect(pages).toHaveLength(51)
    const annotated = [1, 25, 50].map(number => pages[number]?.page_id ?? '')
    for (const [at, id] of annotated.entries())
      expect(await new Drawer(anna.client, id).put(`element-${at}`)).toMatchObject(committed)
    await anna.client.command('conference.end', {}, { kind: 'conference', id: TAG })
    await harness.restart()
    const later = await harness.enter('anna', 'moderator')
    const session = later.snapshots().find(({ stream_id }) => stream_id.startsWith('session:'))
    expect(session?.state.board).toMatchObject({ pages })
    for (const [at, id] of annotated.entries()) {
      const page = new Drawer(later, id)
      await page.watch()
      await page.put(`later-${at}-`)
      expect(page.read().elements).toEqual([`element-${at}`, `later-${at}-`])
    }
  })

  it('BOARD-16 fill the deck up to its limit', async () => {
    const { boards, deck } = await open()
    await boards.decks.addSlides(file('b_0123456789abcdef0123456789abcdef', 300), true)
    expect(deck().length).toBeGreaterThan(150)
  })
})

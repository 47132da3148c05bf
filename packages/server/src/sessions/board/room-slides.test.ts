import { expect, it } from 'vitest'
import type { DeckPage, RoomSlides, StoredDeck } from './ports.ts'
import { withRoomSlides } from './room-slides.ts'

const page = (pageId: string, fileId?: string): DeckPage => ({
  ...{ pageId, width: 1600, height: 900 },
  background: fileId ? { kind: 'document', file_id: fileId, page_number: 1 } : { kind: 'blank' },
})
const deck = (pages: DeckPage[], changes: Partial<StoredDeck> = {}): StoredDeck => ({
  ...{ pages, shownPageId: null, rights: { mode: 'everybody' } },
  ...changes,
})
const slides = (fileId: string, count: number): RoomSlides => ({
  fileId,
  pages: Array.from({ length: count }, () => ({ width: 1920, height: 1080 })),
})
const merge = (
  before: StoredDeck,
  now: RoomSlides,
  { isUnused = false, drawn = new Set<string>() }: { isUnused?: boolean; drawn?: Set<string> } = {},
) => withRoomSlides(before, now, { isUnused, drawn, digest: text => text })
const ids = ({ pages }: StoredDeck) => pages.map(({ pageId }) => pageId)

it('BOARD-17 are at the end of a deck, in their order, each once, and begin one that nobody has used', () => {
  const first = merge(deck([page('own')]), slides('a', 2))
  expect(ids(first)).toEqual(['own', 'a 1', 'a 2'])
  expect(first.slides).toEqual({ fileId: 'a', pageCount: 2 })
  expect(merge(first, slides('a', 2))).toBe(first)
  const moved = { ...first, pages: [...first.pages, page('later')] }
  expect(ids(merge(moved, slides('a', 3)))).toEqual(['own', 'a 1', 'a 2', 'a 3', 'later'])
  expect(ids(merge(deck([page('own')]), slides('a', 1), { isUnused: true }))).toEqual(['a 1'])
})

it('BOARD-17 do not come back when they were removed (SLIDES-3)', () => {
  const before = deck([page('own'), page('a 2', 'a')], { slides: { fileId: 'a', pageCount: 2 } })
  expect(merge(before, slides('a', 2))).toBe(before)
  expect(ids(merge(before, slides('a', 3)))).toEqual(['own', 'a 2', 'a 3'])
})

it('BOARD-17 replace former ones once a page is done, except those with drawings', () => {
  const before = deck([page('a 1', 'a'), page('a 2', 'a'), page('own')], {
    ...{ shownPageId: 'a 1', slides: { fileId: 'a', pageCount: 2 } },
  })
  expect(merge(before, slides('b', 0))).toBe(before)
  const after = merge(before, slides('b', 1), { drawn: new Set(['a 2']) })
  expect(ids(after)).toEqual(['b 1', 'a 2', 'own'])
  expect(after.shownPageId).toBe('b 1')
  expect(ids(merge(after, slides('b', 2)))).toEqual(['b 1', 'b 2', 'a 2', 'own'])
})

it('BOARD-17 have the shape of their pages', () => {
  const now = {
    fileId: 'a',
    pages: [
      { width: 1358, height: 1920 },
      { width: 20, height: 3840 },
    ],
  }
  expect(merge(deck([]), now).pages.map(({ width, height }) => [width, height])).toEqual([
    [1600, 2262],
    [100, 10_000],
  ])
})

it('BOARD-13 are as many as a deck has room for (SLIDES-3)', () => {
  const file = `b_${'0'.repeat(32)}`
  const before = deck(Array.from({ length: 150 }, (_, index) => page(`page${1000 + index}`)))
  const after = withRoomSlides(before, slides(file, 300), {
    ...{ isUnused: false, drawn: new Set() },
    digest: text => text.slice(-12),
  })
  expect(after.pages.length).toBeGreaterThan(190)
  expect(after.pages.length).toBeLessThanOrEqual(200)
  expect(merge(deck(after.pages), slides('b', 300)).pages.length).toBeLessThanOrEqual(200)
})

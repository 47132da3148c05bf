import { type BoardIndex, spaceForSlides } from '@lectern/protocol/control'
import { expect, it } from 'vitest'
import { presentIndex } from './deck.ts'
import type { DeckPage, StoredDeck } from './ports.ts'
import { withSlides } from './slides.ts'

const FILE = `b_${'0'.repeat(32)}`
const page = (at: number, ownerId?: number): DeckPage => ({
  ...{
    pageId: `page${10_000_000 + at}`,
    width: 1600,
    height: 10_000,
    background: { kind: 'document', file_id: FILE, page_number: 999 },
  },
  ...(ownerId !== undefined && { ownerId, copyOf: 'page10000000' }),
})
const document = {
  ...{ fileId: 'b_1', conferenceTag: '' },
  pages: Array.from({ length: 300 }, (_, at) => ({
    pageNumber: at + 1,
    width: 1,
    height: 999,
    failure: null,
  })),
}

it.each([
  ['nearly empty', 1, 0],
  ['nearly full', 190, 0],
  ['full of copies', 40, 150],
  ['full', 200, 0],
])('BOARD-16 a deck that is %s takes as many pages of slides as clients say', (_, own, copies) => {
  const pages = Array.from({ length: own + copies }, (_page, at) =>
    page(at, at < own ? undefined : 1_234_567),
  )
  const deck: StoredDeck = { pages, shownPageId: null, rights: { mode: 'everybody' } }
  const said = spaceForSlides(presentIndex(deck) as BoardIndex)
  const after = withSlides(deck, { ...document, fileId: FILE.replace('b_0', 'b_1') } as never, 0, text =>
    text.slice(-16).padStart(16, '0'),
  )
  const added = after.pages.length - pages.length
  expect(added).toBeGreaterThanOrEqual(said)
  expect(said).toBeGreaterThanOrEqual(added - 12)
})

import { describe, expect, it } from 'vitest'
import type { BoardStore, StoredDeck, StoredElement } from '../board/ports.ts'
import type { SessionLease } from '../ports.ts'
import { localLease } from './local-lease.ts'

const TAG = 'aaaa-bbbbb-cccc'
const PAGE = 'page0001'

const page = (pageId: string) => ({
  pageId,
  width: 1600,
  height: 900,
  background: { kind: 'blank' } as const,
})
const deck: StoredDeck = {
  pages: [page(PAGE), { ...page('page0002'), background: { kind: 'lined' }, ownerId: 7, copyOf: PAGE }],
  shownPageId: PAGE,
  rights: { mode: 'chosen', user_ids: ['7'] },
}
const stroke = (elementId: string, version = 1, change = 'c'): StoredElement => ({
  elementId,
  version,
  authorId: 7,
  z: 3,
  content: {
    kind: 'stroke',
    data: { points: [1, -2, 3], color: '#000000', width: 2, duration_ms: version },
  },
  change,
})

interface Stores {
  boards: BoardStore
  /** Deletes the conference with that tag, which exists. */
  remove: (tag: string) => Promise<unknown>
  /** A lease that another server has acquired meanwhile. */
  lostLease: () => Promise<SessionLease>
}

/** Describes every store of boards. Each call of `open` gives an empty one. */
export function describeBoardStore(open: () => Promise<Stores>) {
  describe('board store', () => {
    const lease = localLease({ sessionId: 1 })
    const opened = async () => {
      const stores = await open()
      const write = (changes: Parameters<BoardStore['write']>[0][number]['changes'], pageId = PAGE) =>
        stores.boards.write([{ lease, tag: TAG, pageId, changes }])
      const put = (...elements: StoredElement[]) => write([{ is: 'put', elements }])
      const idsOf = async (pageId = PAGE) =>
        (await stores.boards.readPage(TAG, pageId)).elements.map(({ elementId }) => elementId).sort()
      return { ...stores, write, put, idsOf }
    }

    it('BOARD-1 keeps the deck of a conference for its next session, unless that begins with an empty board', async () => {
      const { boards, put, idsOf } = await opened()
      expect(await boards.open(lease, TAG, 'keep')).toBeNull()
      expect(await boards.save(lease, TAG, deck)).toBe(true)
      await put(stroke('element-1'))
      const next = localLease({ sessionId: 2 })
      expect(await boards.open(next, TAG, 'keep')).toEqual(deck)
      expect(await boards.open(lease, TAG, 'fresh')).toEqual(deck)
      expect(await boards.open(next, TAG, 'fresh')).toBeNull()
      expect([await boards.open(next, TAG, 'keep'), await idsOf()]).toEqual([null, []])
    })

    it('BOARD-16 knows the slides that a deck has, the files of its pages, and the pages with drawings', async () => {
      const { boards, put, write } = await opened()
      const background = { kind: 'document', file_id: 'b_slides', page_number: 1 } as const
      const withSlides: StoredDeck = {
        ...deck,
        pages: [...deck.pages, { ...page('page0003'), background }],
        slides: { fileId: 'b_slides', pageCount: 1 },
      }
      await boards.save(lease, TAG, withSlides)
      expect(await boards.open(lease, TAG, 'keep')).toEqual(withSlides)
      expect(await boards.filesShown(TAG)).toEqual(new Set(['b_slides']))
      expect(await boards.filesShown('another-tag')).toEqual(new Set())
      await put(stroke('element-1'))
      await write([{ is: 'put', elements: [stroke('element-2')] }], 'page0003')
      await write(
        [{ is: 'deleted', elements: [{ elementId: 'element-2', version: 2, change: 'gone' }], atMs: 5 }],
        'page0003',
      )
      expect(await boards.drawnPages(TAG, [PAGE, 'page0002', 'page0003'])).toEqual(new Set([PAGE]))
      expect(await boards.drawnPages(TAG, [])).toEqual(new Set())
    })

    it('BOARD-2 stores the higher version, in whichever order they come', async () => {
      const { boards, put } = await opened()
      await boards.save(lease, TAG, deck)
      await put(stroke('element-1', 2), stroke('element-2'))
      await put(stroke('element-1', 1), stroke('element-2', 5))
      const { elements } = await boards.readPage(TAG, PAGE)
      expect(elements).toEqual([stroke('element-1', 2), stroke('element-2', 5)])
    })

    it('BOARD-5 stores many writes at once, and each of them completely', async () => {
      const { boards, idsOf } = await opened()
      await boards.save(lease, TAG, deck)
      const ids = Array.from({ length: 1_200 }, (_, i) => `element-${1000 + i}`)
      const large = { ...stroke('large-one-1'), authorId: null }
      if (large.content.kind === 'stroke') large.content.data.points = Array(60_000).fill(-12)
      const write = (elements: StoredElement[]) => ({
        lease,
        tag: TAG,
        pageId: PAGE,
        changes: [{ is: 'put' as const, elements }],
      })
      expect(
        await boards.write([
          write(ids.map(id => stroke(id))),
          write([large]),
          write([stroke('element-1000', 2)]),
        ]),
      ).toEqual([true, true, true])
      expect(await idsOf()).toEqual([...ids, 'large-one-1'].sort())
    })

    it('BOARD-11 keeps what was deleted until it is forgotten, in the order of the deletions', async () => {
      const { boards, write, put, idsOf } = await opened()
      await boards.save(lease, TAG, deck)
      await put(stroke('element-1'), stroke('element-2'), stroke('element-3'))
      const gone = (elementId: string, version: number) => ({ elementId, version, change: 'gone' })
      await write([{ is: 'deleted', elements: [gone('element-2', 2)], atMs: 5 }])
      await write([{ is: 'deleted', elements: [gone('element-1', 2), gone('element-3', 4)], atMs: 9 }])
      const { elements, deleted } = await boards.readPage(TAG, PAGE)
      expect(elements).toEqual([])
      expect(deleted.map(({ elementId, version }) => [elementId, version])).toEqual([
        ['element-2', 2],
        ['element-1', 2],
        ['element-3', 4],
      ])
      expect(deleted[0]).toMatchObject({ authorId: 7, change: 'gone', size: expect.any(Number) })
      expect(await boards.readDeleted(TAG, PAGE, ['element-2', 'element-9'])).toEqual([
        { ...stroke('element-2'), version: 2, change: 'gone' },
      ])
      await put(stroke('element-2', 3))
      await write([{ is: 'forgotten', elementIds: ['element-1', 'element-2'] }])
      expect(await idsOf()).toEqual(['element-2'])
      expect((await boards.readPage(TAG, PAGE)).deleted.map(each => each.elementId)).toEqual(['element-3'])
    })

    it('BOARD-12 copies what is on a page', async () => {
      const { boards, write, put, idsOf } = await opened()
      await boards.save(lease, TAG, deck)
      await put(stroke('element-1'), stroke('element-2'))
      await write([
        { is: 'deleted', elements: [{ elementId: 'element-2', version: 2, change: 'x' }], atMs: 5 },
      ])
      for (let i = 0; i < 2; i++) await boards.save(lease, TAG, deck, [{ from: PAGE, to: 'page0002' }])
      expect(await idsOf('page0002')).toEqual(['element-1'])
    })

    it('BOARD-10 deletes the elements of a removed page', async () => {
      const { boards, write, idsOf } = await opened()
      await boards.save(lease, TAG, deck)
      await write([{ is: 'put', elements: [stroke('element-1')] }], 'page0002')
      await boards.save(lease, TAG, { ...deck, pages: [page(PAGE)] })
      expect(await idsOf('page0002')).toEqual([])
      expect(await boards.open(lease, TAG, 'keep')).toEqual({ ...deck, pages: [page(PAGE)] })
    })

    it('BOARD-15 deletes the board with its conference, and stores nothing for it afterwards', async () => {
      const { boards, put, remove, idsOf } = await opened()
      await boards.save(lease, TAG, deck)
      await put(stroke('element-1'))
      await remove(TAG)
      expect(await boards.open(lease, TAG, 'keep')).toBeNull()
      expect([await put(stroke('element-2')), await idsOf()]).toEqual([[false], []])
    })

    it('BOARD-5 stores nothing under a lease that is lost, and the writes of others all the same', async () => {
      const { boards, lostLease, idsOf } = await opened()
      await boards.save(lease, TAG, deck)
      const lost = await lostLease()
      expect(await boards.save(lost, TAG, { ...deck, shownPageId: 'page0002' })).toBe(false)
      await boards.save(lease, 'dddd-eeeee-ffff', deck)
      const write = (under: SessionLease, tag: string) => ({
        lease: under,
        tag,
        pageId: PAGE,
        changes: [{ is: 'put' as const, elements: [stroke('element-1')] }],
      })
      expect(await boards.write([write(lost, TAG), write(lease, 'dddd-eeeee-ffff')])).toEqual([false, true])
      expect(await idsOf()).toEqual([])
      expect(await boards.open(lease, TAG, 'keep')).toEqual(deck)
    })
  })
}

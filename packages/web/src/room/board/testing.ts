import {
  applyPageEvent,
  type BoardElement,
  type BoardIndex,
  type BoardPage,
  type JsonObject,
  type PageElements,
  pageStream,
  type VersionOfElement,
} from '@lectern/protocol/control/client'
import { type FakeControl, refuse } from '../../call/testing/fake-control.ts'

export const PAGE = 'page0001'

export const aPage = (page_id = PAGE, parts: Partial<BoardPage> = {}): BoardPage => ({
  page_id,
  width: 1_600,
  height: 900,
  background: { kind: 'blank' },
  ...parts,
})

export const anIndex = (parts: Partial<BoardIndex> = {}): BoardIndex => ({
  pages: [aPage()],
  shown_page_id: PAGE,
  rights: { mode: 'everybody' },
  ...parts,
})

type Change = { page_id: string; element_id: string; elements: VersionOfElement[]; dx: number; dy: number }

/** The board of a fake control channel: it stores what is drawn, and publishes it at once. */
export class FakeBoard {
  readonly pages = new Map<string, PageElements>()
  /** The reason with which elements are refused; null: they are stored. */
  refusal: string | null = null
  readonly #control: FakeControl
  readonly #deleted = new Map<string, BoardElement>()

  constructor(control: FakeControl) {
    this.#control = control
    const { handlers } = control
    const on = (name: string, run: (body: Change & JsonObject) => unknown) => {
      handlers[name] = body => run(body as Change & JsonObject)
    }
    // The result arrives before the snapshot.
    on('board.watch', ({ page_id }) => queueMicrotask(() => this.#sendPage(page_id)))
    on('board.put', ({ page_id, ...rest }) => {
      if (this.refusal) refuse('permission_denied', this.refusal)
      const author = this.page(page_id).get(rest.element_id)?.author_id ?? '7'
      this.put({ author_id: author, ...rest } as unknown as BoardElement, page_id)
    })
    on('board.delete', ({ page_id, elements }) => {
      for (const { element_id } of elements) this.#keep(page_id, element_id)
      this.publish(page_id, 'board.deleted', { elements })
      return { skipped: [] }
    })
    on('board.restore', ({ page_id, elements }) => {
      const restored = elements.flatMap(({ element_id, version }) => {
        const element = this.#deleted.get(element_id)
        return element ? [{ ...element, version }] : []
      })
      this.publish(page_id, 'board.elements', { elements: restored })
      return { skipped: [] }
    })
    on('board.move', ({ page_id, dx, dy, elements }) => {
      this.publish(page_id, 'board.moved', { dx, dy, elements })
      return { skipped: [] }
    })
    on('board.page_clear', ({ page_id }) => {
      const elements = [...this.page(page_id).values()].map(({ element_id, version }) => ({
        element_id,
        version: version + 1,
      }))
      for (const { element_id } of elements) this.#keep(page_id, element_id)
      if (elements.length > 0) this.publish(page_id, 'board.deleted', { elements })
      return {
        element_ids: elements.map(each => each.element_id),
        versions: elements.map(each => each.version),
      }
    })
    on('board.page_show', ({ page_id }) => this.change({ shown_page_id: page_id }))
    on('board.set_rights', rights => this.change({ rights: rights as unknown as BoardIndex['rights'] }))
    on('board.page_add', ({ page_id, background }) =>
      this.change({
        pages: [...this.index.pages, aPage(page_id, { background: background as BoardPage['background'] })],
      }),
    )
    on('board.page_remove', ({ page_id, copies }) =>
      this.change({
        pages: this.index.pages.filter(each => (copies ? each.copy_of : each.page_id) !== page_id),
      }),
    )
    on('board.page_order', ({ page_ids }) => {
      const order = page_ids as string[]
      const pages = [...this.index.pages].sort((a, b) => order.indexOf(a.page_id) - order.indexOf(b.page_id))
      this.change({ pages })
    })
    on('board.hand_out', ({ page_id }) => {
      const session = this.#control.view.get()
      const others = session?.participants.filter(each => each.role !== 'moderator') ?? []
      const copies = others.map(({ user_id }, at) =>
        aPage(`copy000${at}`, { owner_id: user_id, copy_of: page_id }),
      )
      for (const { page_id: copy } of copies) this.pages.set(copy, new Map(this.page(page_id)))
      this.change({ pages: [...this.index.pages, ...copies] })
    })
    on('board.show_copy', ({ page_id }) => this.change({ shown_page_id: page_id }))
  }

  get index(): BoardIndex {
    return this.#control.view.get()?.board ?? anIndex()
  }

  change(parts: Partial<BoardIndex>): void {
    this.#control.updateSession({ board: { ...this.index, ...parts } })
  }

  page(pageId = PAGE): PageElements {
    const page = this.pages.get(pageId) ?? new Map()
    this.pages.set(pageId, page)
    return page
  }

  /** The kinds of the elements on the page. */
  kinds = (pageId = PAGE) => [...this.page(pageId).values()].map(each => each.kind)

  put(element: BoardElement, pageId = PAGE): void {
    this.publish(pageId, 'board.elements', { elements: [element] })
  }

  publish(pageId: string, name: string, body: object): void {
    applyPageEvent(this.page(pageId), name, body)
    this.#control.emitEvent(name, structuredClone(body) as JsonObject, pageStream('1', pageId))
  }

  #keep(pageId: string, id: string): void {
    const element = this.page(pageId).get(id)
    if (element) this.#deleted.set(id, element)
  }

  #sendPage(pageId: string): void {
    const elements = [...this.page(pageId).values()]
    this.#control.emitSnapshot(
      pageStream('1', pageId),
      structuredClone({ page_id: pageId, elements }) as unknown as JsonObject,
    )
  }
}

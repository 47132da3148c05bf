import { Lifetime, Observable } from '@lectern/common'
import {
  type BoardIndex,
  type BoardPage,
  type PageBackground,
  spaceForSlides,
} from '@lectern/protocol/control/client'
import type { Call } from '../../../call/call.ts'
import { randomId } from '../../../random-id.ts'
import type { StoredValue } from '../../../stored-value.ts'
import { mayDrawOnPages } from '../../people/drawing.ts'
import { Inserts } from '../files/inserts.ts'
import { Pictures } from '../files/pictures.ts'
import { Author } from './author.ts'
import { Edits } from './edits.ts'
import { Laser } from './laser.ts'
import { LiveInk } from './live-ink.ts'
import { Tools } from './tools.ts'

export interface BoardState {
  /** The page that this person sees. */
  page: BoardPage
  /** The pages of the lesson; private copies are not among them. */
  pages: readonly BoardPage[]
  /** The private copies that this person may watch: a moderator all, others their own. */
  copies: readonly BoardPage[]
  /** The page that everybody sees. */
  isShown: boolean
  isModerator: boolean
  mayDraw: boolean
  rights: BoardIndex['rights']
  /** Turns the pages, for everybody or for themselves. */
  mayTurnPages: boolean
}

export interface BoardStorage {
  tools: StoredValue
  /** The changes of a page of a conference by this person in this tab. */
  history: (page: string) => StoredValue
}

/** The board as this person sees and changes it. Its creator MUST call `close`. */
export class Board extends Observable<BoardState | null> {
  readonly call: Call
  readonly edits: Edits
  readonly author: Author
  readonly ink: LiveInk
  readonly laser: Laser
  readonly tools: Tools
  readonly pictures: Pictures
  readonly inserts: Inserts
  readonly #lookAt: Observable<string | null>
  readonly #lifetime = new Lifetime()
  /** Also of people who have left. */
  readonly #names = new Map<string, string>()
  #unwatch: () => void = () => {}
  #watched: string | null = null

  /** `lookAt`: the page that this person has chosen; null: what everybody sees. */
  constructor(call: Call, lookAt: Observable<string | null>, storage: BoardStorage) {
    super(null)
    const { board: link } = call
    const lifetime = this.#lifetime
    this.call = call
    this.#lookAt = lookAt
    this.edits = new Edits(link, lifetime)
    this.ink = new LiveInk(link, lifetime)
    this.laser = new Laser(link, lifetime)
    this.tools = new Tools(storage.tools)
    this.pictures = new Pictures(call.files, lifetime)
    this.inserts = new Inserts(this, call.files, lifetime)
    const userId = () => {
      const state = call.get()
      return state.is === 'joined' ? state.me.user_id : ''
    }
    // The first page of every conference has the same id.
    const stored = (pageId: string) => storage.history(`${call.files.conference}.${pageId}`)
    this.author = new Author({ edits: this.edits, userId, stored }, lifetime)
    for (const each of [link, call, lookAt]) lifetime.defer(each.subscribe(() => this.#update()))
    lifetime.defer(() => this.#unwatch())
    this.#update()
  }

  readonly close = (): void => void this.#lifetime.close()

  /** The name of somebody who is or was here; null: it is not known. */
  readonly nameOf = (userId: string | null): string | null => this.#names.get(userId ?? '') ?? null

  // The rest is for moderators. Each rejects with a ControlFailure.

  /** Shows a page to everybody; null: closes the board. */
  readonly show = (page_id: string | null) => this.call.board.command('board.page_show', { page_id })

  /** Adds a page after the present one, and shows it. */
  readonly addPage = async (kind: 'blank' | 'squared' | 'lined'): Promise<void> => {
    const page_id = randomId().slice(0, 8)
    const after = this.get()?.page
    const background: PageBackground = { kind }
    await this.call.board.command('board.page_add', {
      page_id,
      background,
      ...(after && !after.owner_id && { after_page_id: after.page_id }),
    })
    await this.show(page_id)
  }

  /** The page that everybody sees; null: the board is closed. */
  get shownPageId(): string | null {
    return this.call.board.get()?.shown_page_id ?? null
  }

  get canAddPage(): boolean {
    return this.spaceForSlides() > 0
  }

  /** Pages that the deck has space for. */
  readonly spaceForSlides = (): number => {
    const index = this.call.board.get()
    return index ? spaceForSlides(index) : 0
  }

  /** The page before it, or after the first one, is shown instead. */
  readonly removePage = async (page_id: string): Promise<void> => {
    const { pages = [], page } = this.get() ?? {}
    const at = pages.findIndex(each => each.page_id === page_id)
    const next = pages[at - 1] ?? pages[at + 1]
    if (at >= 0 && page?.page_id === page_id && next) await this.show(next.page_id)
    await this.call.board.command('board.page_remove', { page_id })
  }

  /** Removes the copies of a page from everybody. */
  readonly removeCopies = (page_id: string) =>
    this.call.board.command('board.page_remove', { page_id, copies: true })

  /** Moves a page by this many places. */
  readonly movePage = (page_id: string, by: number) => {
    const ids = this.get()?.pages.map(each => each.page_id) ?? []
    const from = ids.indexOf(page_id)
    const to = Math.min(Math.max(from + by, 0), ids.length - 1)
    ids.splice(to, 0, ...ids.splice(from, 1))
    return this.call.board.command('board.page_order', { page_ids: ids })
  }

  readonly setRights = (rights: BoardIndex['rights']) => this.call.board.command('board.set_rights', rights)

  /** Each participant gets a copy of the page. */
  readonly handOut = (page_id: string) => this.call.board.command('board.hand_out', { page_id })

  readonly showCopy = (page_id: string) => this.call.board.command('board.show_copy', { page_id })

  #update(): void {
    const state = this.call.get()
    const index = this.call.board.get()
    const page = index && pageFor(index, this.#lookAt.get())
    if (state.is !== 'joined' || !index || !page) {
      this.#watch(null)
      this.set(null)
      return
    }
    for (const each of state.session.participants) this.#names.set(each.user_id, each.display_name)
    const { user_id, role } = state.me
    const isModerator = role === 'moderator'
    this.#watch(page.page_id)
    const isPrivate = ({ owner_id }: BoardPage) => owner_id !== undefined
    this.set({
      page,
      pages: index.pages.filter(each => !isPrivate(each)),
      copies: index.pages.filter(each => (isModerator ? isPrivate(each) : each.owner_id === user_id)),
      isShown: page.page_id === index.shown_page_id,
      isModerator,
      mayDraw: mayDraw(index.rights, page, user_id, isModerator),
      rights: index.rights,
      mayTurnPages: isModerator || index.rights.look_around !== false,
    })
  }

  #watch(pageId: string | null): void {
    if (pageId === this.#watched) return
    this.#watched = pageId
    const unwatch = this.#unwatch
    this.#unwatch = pageId === null ? () => {} : this.call.board.watch(pageId)
    unwatch()
    this.author.setPage(pageId)
  }
}

const pageFor = ({ pages, shown_page_id }: BoardIndex, lookAt: string | null): BoardPage | undefined =>
  pages.find(each => each.page_id === lookAt) ?? pages.find(each => each.page_id === shown_page_id)

/** The decision of the server at each command (docs/board.md). */
function mayDraw(
  rights: BoardIndex['rights'],
  page: BoardPage,
  userId: string,
  isModerator: boolean,
): boolean {
  if (rights.mode === 'nobody') return false
  if (isModerator || page.owner_id === userId) return true
  if (page.owner_id !== undefined) return false
  return mayDrawOnPages(rights, userId)
}

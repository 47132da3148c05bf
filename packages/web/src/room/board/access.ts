import { type Lifetime, Observable, WritableObservable } from '@lectern/common'
import type { BoardIndex } from '@lectern/protocol/control/client'
import type { Call } from '../../call/call.ts'
import type { Board, BoardStorage } from './model/board.ts'

export interface BoardAccessState {
  /** The conference has a board. */
  isAvailable: boolean
  isOpen: boolean
  /** The private copy of this person; null: none was handed out. */
  ownPageId: string | null
}

const CLOSED: BoardAccessState = { isAvailable: false, isOpen: false, ownPageId: null }

/** Whether the board is on the stage. Its code and the pages load when it is first opened. */
export class BoardAccess extends Observable<BoardAccessState> {
  /** The page that this person has chosen for themselves; null: what everybody sees. */
  readonly lookAt = new WritableObservable<string | null>(null)
  /** Documents that become slides as soon as the board is on the stage. */
  readonly slides = new WritableObservable<readonly File[]>([])
  readonly #call: Call
  readonly #storage: BoardStorage
  readonly #lifetime: Lifetime
  #wasSharing = false
  #board: Promise<LoadedBoard> | null = null

  constructor(call: Call, storage: BoardStorage, lifetime: Lifetime) {
    super(CLOSED)
    this.#call = call
    this.#storage = storage
    this.#lifetime = lifetime
    for (const each of [call, call.board, this.lookAt]) lifetime.defer(each.subscribe(() => this.#update()))
    lifetime.defer(call.local.screenShare.subscribe(() => this.#onScreenShare()))
  }

  /** A moderator opens and closes the board for everybody, others only their own page. */
  readonly toggle = (): void => {
    const { isOpen } = this.get()
    const index = this.#call.board.get()
    if (!this.#isModerator) {
      this.toggleOwnPage()
      return
    }
    this.lookAt.set(null)
    const page_id = isOpen ? null : (index?.pages.find(each => each.owner_id === undefined)?.page_id ?? null)
    this.#show(page_id)
  }

  /** For moderators: the documents become pages, and the board is shown to everybody. */
  readonly addSlides = (files: readonly File[]): void => {
    if (files.length === 0) return
    this.slides.set([...this.slides.get(), ...files])
    if (this.#call.board.get()?.shown_page_id === null) this.toggle()
  }

  readonly toggleOwnPage = (): void => {
    const { ownPageId } = this.get()
    this.lookAt.set(this.lookAt.get() === ownPageId ? null : ownPageId)
  }

  /** Rejects when the code does not load. It loads once. */
  readonly load = () => {
    this.#board ??= import('./board-module.ts').then(
      ({ Board, BoardView }) => {
        const board = new Board(this.#call, this.lookAt, this.#storage)
        this.#lifetime.defer(board.close)
        return { board, View: BoardView }
      },
      cause => {
        this.#board = null
        throw cause
      },
    )
    return this.#board
  }

  #show(page_id: string | null): void {
    // After a failure it stays as it is.
    void this.#call.board.command('board.page_show', { page_id }).catch(() => {})
  }

  /** A screen that a moderator begins to share is for everybody to see. */
  #onScreenShare(): void {
    const { on } = this.#call.local.screenShare.get()
    const begins = on && !this.#wasSharing
    this.#wasSharing = on
    if (begins && this.#isModerator && this.#call.board.get()?.shown_page_id) this.#show(null)
  }

  get #isModerator(): boolean {
    const state = this.#call.get()
    return state.is === 'joined' && state.me.role === 'moderator'
  }

  #update(): void {
    const state = this.#call.get()
    const index = this.#call.board.get()
    if (state.is !== 'joined' || !index) {
      this.set(CLOSED)
      return
    }
    const ownPageId = ownPageOf(index, state.me.user_id)
    if (!mayLookAt(index, this.lookAt.get(), this.#isModerator)) this.lookAt.set(null)
    const lookAt = this.lookAt.get()
    // Pages of the lesson are there for as long as the board is open.
    const isOwn = index.pages.some(each => each.page_id === lookAt && each.owner_id !== undefined)
    const next = { isAvailable: true, isOpen: isOwn || index.shown_page_id !== null, ownPageId }
    const before = this.get()
    const isSame = Object.entries(next).every(([key, value]) => before[key as keyof typeof next] === value)
    if (!isSame) this.set(next)
  }
}

interface LoadedBoard {
  board: Board
  View: typeof import('./board-module.ts').BoardView
}

/** At a page that is there; private ones are another matter: the server decides about them. */
function mayLookAt({ pages, rights }: BoardIndex, lookAt: string | null, isModerator: boolean): boolean {
  if (lookAt === null) return true
  const page = pages.find(each => each.page_id === lookAt)
  return page !== undefined && (isModerator || rights.look_around !== false || page.owner_id !== undefined)
}

/** The newest: a page may be handed out again. */
const ownPageOf = ({ pages }: BoardIndex, userId: string): string | null =>
  pages.findLast(each => each.owner_id === userId)?.page_id ?? null

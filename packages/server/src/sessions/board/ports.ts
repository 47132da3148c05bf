import type { ConversionFailure } from '@lectern/protocol'
import type {
  BoardRights,
  ElementContent,
  PageBackground,
  PageEvent,
  PageState,
} from '@lectern/protocol/control'
import type { SessionLease } from '../session-lease.ts'

/** The board of a conference: it stays, or each session begins with an empty one, or there is none. */
export type BoardMode = 'keep' | 'fresh' | 'off'

export interface DeckPage {
  pageId: string
  width: number
  height: number
  background: PageBackground
  /** Only this account and moderators may watch it; undefined: everybody may. */
  ownerId?: number | undefined
  copyOf?: string | undefined
}

/** The index of a board, in the order of its pages. */
export interface StoredDeck {
  pages: DeckPage[]
  /** Null: the board is closed. */
  shownPageId: string | null
  rights: BoardRights
  /** The slides of the room that it has, and how many of their pages it has had. */
  slides?: { fileId: string; pageCount: number } | undefined
}

/** The slides that were put for the room, from outside of a session. */
export interface RoomSlides {
  fileId: string
  /** Those that are done, without a gap from the first one on. */
  pages: { width: number; height: number }[]
}

/** The board of an open session. */
export interface SessionBoard {
  deck: StoredDeck
  /** A board is stored with its first change. */
  isStored: boolean
}

/** An element as its newest version has left it. */
export interface StoredElement {
  elementId: string
  version: number
  /** Null: the account was deleted. */
  authorId: number | null
  z: number
  content: ElementContent
  /** Identifies the change that made this version. */
  change: string
}

/** One that is not on its page any more. Its content stays in the store. */
export interface DeletedElement extends Pick<StoredElement, 'elementId' | 'version' | 'authorId' | 'change'> {
  /** Characters of its content. */
  size: number
}

/** A write of elements of one page. */
export type ElementChange =
  | { is: 'put'; elements: StoredElement[] }
  | { is: 'deleted'; elements: Pick<StoredElement, 'elementId' | 'version' | 'change'>[]; atMs: number }
  | { is: 'forgotten'; elementIds: string[] }

export interface PageWrite {
  lease: SessionLease
  tag: string
  pageId: string
  changes: ElementChange[]
}

/** Copies of pages that are stored with a deck. */
export interface PageCopy {
  from: string
  to: string
}

/** The boards of conferences. Writes of a session name their lease, as in SessionStore. */
export interface BoardStore {
  /** The deck of the conference; null while nothing was stored. `fresh`: what another session has stored is deleted. */
  open(lease: SessionLease, tag: string, mode: Exclude<BoardMode, 'off'>): Promise<StoredDeck | null>
  /** Replaces the deck; the elements of pages that it does not have are deleted. */
  save(lease: SessionLease, tag: string, deck: StoredDeck, copies?: PageCopy[]): Promise<boolean>
  /** All elements of a page, the deleted ones in the order of their deletion. */
  readPage(tag: string, pageId: string): Promise<{ elements: StoredElement[]; deleted: DeletedElement[] }>
  /** The pages among these that have elements which are not deleted. */
  drawnPages(tag: string, pageIds: readonly string[]): Promise<Set<string>>
  /** The files that the pages of the conference have as backgrounds. */
  filesShown(tag: string): Promise<Set<string>>
  /** The elements among these that are deleted. */
  readDeleted(tag: string, pageId: string, elementIds: readonly string[]): Promise<StoredElement[]>
  /**
   * Stores all of it in one transaction. False for a write whose lease is not held, or whose board was deleted: nothing of it
   * was stored. Higher versions win.
   */
  write(writes: readonly PageWrite[]): Promise<boolean[]>
}

/** Names a page while one server runs its session. */
export interface PageRef {
  sessionId: number
  incarnation: number
  pageId: string
}

/** The streams of pages. No method throws or waits. */
export interface PageSink {
  /** `state`: after the last event; null after its end. */
  open(page: PageRef, state: () => PageState | null): void
  publish(page: PageRef, event: PageEvent, version: number): void
  /** The participants and observers who watch it. */
  watchersOf(page: PageRef): string[]
  detach(page: PageRef, key: string): void
  close(page: PageRef): void
}

export interface BoardLimiter {
  /** Counts a change, or says for how many milliseconds it has to wait. */
  take(change: { userId: number; sessionId: number; receivers: number; bytes: number }): number
}

/** Slides, or an image, that a participant has uploaded. */
export interface BoardFile {
  fileId: string
  conferenceTag: string
  /** Those that are done, in order. */
  pages: BoardFilePage[]
}

/** Pixels of the largest picture. */
export interface BoardFilePage {
  pageNumber: number
  width: number
  height: number
  /** Why it cannot be shown. */
  failure: ConversionFailure | null
}

/** The parts of boards; null where boards are turned off. */
export interface BoardParts {
  store: BoardStore
  pages: PageSink
  /** Null: there are none. */
  slidesOf: (tag: string) => Promise<RoomSlides | null>
  limiter: BoardLimiter
  /** Null: there is no such file. */
  findFile: (fileId: string) => Promise<BoardFile | null>
  /** Waits, for those who write together to wait for the disk once. */
  delay: (ms: number) => Promise<void>
  /** The same for the same text, in 12 characters. */
  digest: (text: string) => string
  /** The most characters of pages in memory. */
  maxOpenBytes: number
}

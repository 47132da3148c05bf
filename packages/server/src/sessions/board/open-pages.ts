import type { PageEvent } from '@lectern/protocol/control'
import type { RuntimeParts } from '../conference-sessions.ts'
import { assertOrRefuse } from '../refusals.ts'
import type { Session } from '../session.ts'
import { PageContent } from './page.ts'
import type { BoardParts, StoredDeck } from './ports.ts'
import { mayKeepWatching, pageOf } from './rights.ts'
import type { OpenPage } from './writer.ts'

/** A page that nobody watches stays in memory for this long. */
const IDLE_MS = 10_000
/** One session has at most a quarter of the memory for pages. */
const SESSION_SHARE = 4
const VERSIONS_PER_INCARNATION = 2 ** 32

/** The pages in memory: read when somebody watches or changes them, closed when nobody does. */
export class OpenPages {
  readonly #parts: RuntimeParts
  readonly #board: BoardParts
  readonly #open = new Map<string, OpenPage>()
  readonly #loading = new Map<string, Promise<OpenPage>>()
  #versions = 0

  constructor(parts: RuntimeParts, board: BoardParts) {
    this.#parts = parts
    this.#board = board
  }

  get size(): number {
    return this.#open.size
  }

  find(session: Session, pageId: string): OpenPage | undefined {
    return this.#open.get(keyOf(session, pageId))
  }

  of(session: Session): OpenPage[] {
    return [...this.#open.values()].filter(page => page.session === session)
  }

  /** The page as it is stored, with what was accepted since. Throws `board_busy` when there is no memory for it. */
  load(session: Session, pageId: string): Promise<OpenPage> {
    const key = keyOf(session, pageId)
    const open = this.#open.get(key)
    if (open && open.session === session && !open.isBroken) return Promise.resolve(open)
    const known = this.#loading.get(key)
    if (known) return known
    const loading = (open?.session === session ? this.#reload(open) : this.#read(session, pageId)).finally(
      () => this.#loading.delete(key),
    )
    this.#loading.set(key, loading)
    return loading
  }

  publish({ ref }: OpenPage, event: PageEvent): void {
    const version = ref.incarnation * VERSIONS_PER_INCARNATION + ++this.#versions
    this.#board.pages.publish(ref, event, version)
  }

  /** Closes what nobody needs, and what somebody may not watch any more. MUST be called about every second. */
  async sweep(): Promise<void> {
    const broken: OpenPage[] = []
    for (const [key, page] of this.#open) {
      const { session, ref } = page
      const deckPage = session.board && pageOf(session.board.deck, ref.pageId)
      if (!deckPage || !this.#parts.registry.has(session)) {
        this.#close(key, page)
        continue
      }
      for (const watcher of this.#board.pages.watchersOf(ref))
        if (!mayKeepWatching(session, deckPage, watcher)) this.#board.pages.detach(ref, watcher)
      if (this.#isIdle(page) && this.#parts.monotonicMs() - page.usedAtMs >= IDLE_MS) this.#close(key, page)
      else if (page.isBroken) broken.push(page)
    }
    const onFailure = this.#parts.onFailure('a page of a board was not read again')
    await Promise.all(broken.map(({ session, ref }) => this.load(session, ref.pageId).catch(onFailure)))
  }

  /** Closes removed pages at once: a page that is added again under the same id is empty. */
  closeRemoved(session: Session, before: StoredDeck, after: StoredDeck): void {
    for (const { pageId } of before.pages) {
      const key = keyOf(session, pageId)
      const page = this.#open.get(key)
      if (page && !pageOf(after, pageId)) this.#close(key, page)
    }
  }

  /** The session no longer runs here. */
  closeSession(sessionId: number): void {
    for (const [key, page] of this.#open) if (page.ref.sessionId === sessionId) this.#close(key, page)
  }

  async #read(session: Session, pageId: string): Promise<OpenPage> {
    this.#makeRoom(session)
    const key = keyOf(session, pageId)
    const former = this.#open.get(key)
    if (former) this.#close(key, former)
    const ref = { sessionId: session.id, incarnation: session.lease.incarnation, pageId }
    const content = new PageContent(pageId, await this.#board.store.readPage(session.tag, pageId))
    assertOrRefuse(this.#parts.registry.has(session), 'not_inside')
    const page = { ref, session, content, isBroken: false, pending: 0, usedAtMs: this.#parts.monotonicMs() }
    this.#open.set(key, page)
    this.#board.pages.open(ref, () => page.content.state())
    return page
  }

  /** Loads the page again after a write whose effect is unknown: who watches gets what is stored. */
  async #reload(page: OpenPage): Promise<OpenPage> {
    const { session, ref } = page
    const content = new PageContent(ref.pageId, await this.#board.store.readPage(session.tag, ref.pageId))
    assertOrRefuse(this.find(session, ref.pageId) === page, 'temporarily_unavailable')
    const events = page.content.differenceTo(content)
    page.content = content
    page.isBroken = false
    for (const event of events) this.publish(page, event)
    return page
  }

  /** A session has a share, so that one with full pages leaves space for those of others. */
  #makeRoom(session: Session): void {
    const { maxOpenBytes } = this.#board
    this.#closeIdleAbove(maxOpenBytes / SESSION_SHARE, page => page.session === session)
    this.#closeIdleAbove(maxOpenBytes, () => true)
  }

  #closeIdleAbove(most: number, isCounted: (page: OpenPage) => boolean): void {
    const counted = () => [...this.#open].filter(([, page]) => isCounted(page))
    const bytes = () => counted().reduce((sum, [, { content }]) => sum + content.bytes, 0)
    if (bytes() <= most) return
    for (const [key, page] of counted()) if (this.#isIdle(page)) this.#close(key, page)
    assertOrRefuse(bytes() <= most, 'board_busy')
  }

  #isIdle({ ref, pending }: OpenPage): boolean {
    return pending === 0 && this.#board.pages.watchersOf(ref).length === 0
  }

  #close(key: string, page: OpenPage): void {
    page.isBroken = true // what still waits to be stored is refused
    this.#open.delete(key)
    this.#board.pages.close(page.ref)
  }
}

const keyOf = ({ id }: Session, pageId: string) => `${id} ${pageId}`

import type { PageEvent } from '@lectern/protocol/control'
import { ConferenceRefusal, LeaseLost } from '../refusals.ts'
import type { Session } from '../session.ts'
import { EVENT_BYTES } from './entries.ts'
import type { PageContent, PageEdit } from './page.ts'
import type { BoardStore, PageRef } from './ports.ts'

/** A page in memory. Its content is replaced when a write has failed: nobody knows then what is stored. */
export interface OpenPage {
  ref: PageRef
  session: Session
  content: PageContent
  isBroken: boolean
  /** Edits that are being stored. */
  pending: number
  usedAtMs: number
}

interface Item {
  page: OpenPage
  content: PageContent
  edit: PageEdit
  resolve: () => void
  reject: (error: unknown) => void
}

/** Writes that arrive within this time wait for the disk together. */
const BATCH_MS = 50
const BATCH_ITEMS_MAX = 1_000

interface WriterOptions {
  store: Pick<BoardStore, 'write'>
  delay: (ms: number) => Promise<void>
  publish: (page: OpenPage, event: PageEvent) => void
}

/**
 * Stores the edits of all pages of this server, one transaction after the other, and publishes them in that order (rules
 * BOARD-5 and BOARD-6).
 */
export class BoardWriter {
  readonly #options: WriterOptions
  readonly #queue: Item[] = []
  #isRunning = false

  constructor(options: WriterOptions) {
    this.#options = options
  }

  /** Resolves when the edit is stored and published. */
  write(page: OpenPage, edit: PageEdit): Promise<void> {
    return new Promise((resolve, reject) => {
      page.pending += 1
      this.#queue.push({ page, content: page.content, edit, resolve, reject })
      if (!this.#isRunning) void this.#run()
    })
  }

  /** Resolves when everything that was accepted so far is stored. */
  async settle(page: OpenPage): Promise<void> {
    if (page.pending > 0) await this.write(page, { changes: [], events: [], entries: [], size: 0 })
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    await this.#options.delay(0)
    while (this.#queue.length > 0)
      await Promise.all([
        this.#writeBatch(this.#queue.splice(0, BATCH_ITEMS_MAX)),
        this.#options.delay(BATCH_MS),
      ])
    this.#isRunning = false
  }

  async #writeBatch(items: Item[]): Promise<void> {
    // A change based on an edit that may not be stored has no effect either.
    const [sound, unsound] = [items.filter(isSound), items.filter(item => !isSound(item))]
    for (const item of unsound) this.#fail(item, new ConferenceRefusal('temporarily_unavailable'))
    if (sound.length === 0) return
    try {
      const held = await this.#options.store.write(
        sound.map(({ page: { ref, session }, edit }) => ({
          lease: session.lease,
          tag: session.tag,
          pageId: ref.pageId,
          changes: edit.changes,
        })),
      )
      this.#publish(sound.filter((_, i) => held[i]))
      for (const [i, item] of sound.entries()) if (!held[i]) this.#fail(item, new LeaseLost())
    } catch (error) {
      for (const item of sound) this.#fail(item, error)
    }
  }

  #publish(items: Item[]): void {
    for (const group of Map.groupBy(items, ({ page }) => page).values()) {
      const [{ page, content }] = group as [Item]
      for (const { edit } of group) content.commit(edit)
      if (page.content === content)
        for (const event of joined(group.map(({ edit }) => edit))) this.#options.publish(page, event)
      for (const item of group) {
        item.page.pending -= 1
        item.resolve()
      }
    }
  }

  #fail(item: Item, error: unknown): void {
    if (item.page.content === item.content) item.page.isBroken = true
    item.page.pending -= 1
    item.reject(error)
  }
}

const isSound = ({ page, content }: Item) => page.content === content && !page.isBroken

/** Elements of several commands go into one event: everybody who watches gets fewer of them. */
function joined(edits: PageEdit[]): PageEvent[] {
  const events: PageEvent[] = []
  let size = 0
  for (const edit of edits) {
    const [event] = edit.events
    const last = events.at(-1)
    if (
      size > 0 &&
      edit.size > 0 &&
      size + edit.size <= EVENT_BYTES &&
      last?.name === 'board.elements' &&
      event?.name === 'board.elements'
    ) {
      events[events.length - 1] = {
        name: 'board.elements',
        body: { elements: [...last.body.elements, ...event.body.elements] },
      }
      size += edit.size
    } else {
      events.push(...edit.events)
      size = edit.size
    }
  }
  return events
}

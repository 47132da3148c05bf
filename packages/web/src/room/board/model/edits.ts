import { Emitter, type Lifetime } from '@lectern/common'
import { ControlFailure } from '@lectern/control-client'
import {
  BOARD_BATCH_MAX,
  type BoardElement,
  compareElements,
  type ElementContent,
  moveContent,
  type VersionOfElement,
} from '@lectern/protocol/control/client'
import type { BoardLink, PageUpdate } from '../../../call/board/board-link.ts'
import { keepPageUntil } from '../../../keep-page.ts'

/** An unconfirmed element is drawn lighter from then on. */
const SLOW_AFTER_MS = 2_000

interface Pending {
  pageId: string
  id: string
  version: number
  /** Null: removed; undefined: restored, and only the server has it. */
  element: BoardElement | null | undefined
  isCommitted: boolean
  isSlow: boolean
  timer: ReturnType<typeof setTimeout>
}

/** The server does not want what was drawn. */
export interface Refusal {
  pageId: string
  ids: readonly string[]
  reason: string
}

type Answer = { skipped?: readonly string[] }

/**
 * The pages as this person sees them: what the server has, with the own changes on top until the server has them, too. What
 * it refuses disappears again.
 */
export class Edits {
  readonly #link: BoardLink
  /** By page and element, here and below: copies of a page have elements with the same ids. */
  readonly #pending = new Map<string, Pending>()
  /** The last content of elements that were removed here, to show them at once when that is undone. */
  readonly #removed = new Map<string, BoardElement>()
  /** Versions of elements that are gone. */
  readonly #versions = new Map<string, number>()
  readonly #changed = new Emitter<PageUpdate>()
  readonly #refused = new Emitter<Refusal>()

  constructor(link: BoardLink, lifetime: Lifetime) {
    this.#link = link
    lifetime.defer(link.onPage(change => this.#onPage(change)))
    lifetime.defer(() => {
      for (const { timer } of this.#pending.values()) clearTimeout(timer)
    })
  }

  readonly onChange = this.#changed.on
  readonly onRefused = this.#refused.on

  readonly get = (pageId: string, id: string): BoardElement | undefined => {
    const pending = this.#pending.get(keyOf(pageId, id))
    if (pending && pending.element !== undefined) return pending.element ?? undefined
    return this.#link.page(pageId)?.get(id)
  }

  /** From back to front. */
  readonly visible = (pageId: string): BoardElement[] => {
    const elements = new Map(this.#link.page(pageId))
    for (const { id, element, ...pending } of this.#pending.values()) {
      if (pending.pageId !== pageId) continue
      if (element) elements.set(id, element)
      else if (element === null) elements.delete(id)
    }
    return [...elements.values()].sort(compareElements)
  }

  readonly isSlow = (pageId: string, id: string): boolean =>
    this.#pending.get(keyOf(pageId, id))?.isSlow ?? false

  /** Everything that was done has been stored. */
  get isSaved(): boolean {
    return this.#pending.size === 0
  }

  /** A version above all that are known. */
  readonly nextVersion = (pageId: string, { element_id: id, version }: VersionOfElement): number =>
    1 +
    Math.max(
      version,
      this.#versions.get(keyOf(pageId, id)) ?? 0,
      this.#pending.get(keyOf(pageId, id))?.version ?? 0,
      this.#link.page(pageId)?.get(id)?.version ?? 0,
    )

  put(pageId: string, element: BoardElement): void {
    const { element_id, version, z, kind, data } = element
    // TypeScript does not see that the data belong to the kind.
    const content = { kind, data } as ElementContent
    this.#set(pageId, [{ element_id, version }], () => element)
    this.#send(pageId, [element_id], () =>
      this.#link.change('board.put', { page_id: pageId, element_id, version, z, ...content }),
    )
  }

  remove(pageId: string, elements: readonly VersionOfElement[]): void {
    for (const { element_id: id } of elements) {
      const element = this.get(pageId, id)
      if (element) this.#removed.set(keyOf(pageId, id), element)
    }
    this.#set(pageId, elements, () => null)
    this.#sendInBatches(pageId, elements, 'board.delete')
  }

  restore(pageId: string, elements: readonly VersionOfElement[]): void {
    this.#set(pageId, elements, ({ element_id, version }) => {
      const known = this.#removed.get(keyOf(pageId, element_id))
      return known && { ...known, version }
    })
    this.#sendInBatches(pageId, elements, 'board.restore')
  }

  move(pageId: string, elements: readonly VersionOfElement[], dx: number, dy: number): void {
    this.#set(pageId, elements, ({ element_id, version }) => {
      const element = this.get(pageId, element_id)
      return element && { ...element, ...moveContent(element, dx, dy), version }
    })
    const body = { page_id: pageId, dx, dy, elements: [...elements] }
    this.#send(pageId, idsOf(elements), () => this.#link.change('board.move', body))
  }

  /** The elements that the server has deleted, with their versions. */
  async clear(pageId: string): Promise<VersionOfElement[]> {
    for (const element of this.visible(pageId)) this.#removed.set(keyOf(pageId, element.element_id), element)
    const { element_ids, versions } = await this.#link.command('board.page_clear', { page_id: pageId })
    return element_ids.map((element_id, at) => ({ element_id, version: versions[at] ?? 1 }))
  }

  #sendInBatches(
    pageId: string,
    elements: readonly VersionOfElement[],
    name: 'board.delete' | 'board.restore',
  ): void {
    for (let at = 0; at < elements.length; at += BOARD_BATCH_MAX) {
      const batch = elements.slice(at, at + BOARD_BATCH_MAX)
      const body = { page_id: pageId, elements: batch }
      this.#send(pageId, idsOf(batch), () => this.#link.change(name, body))
    }
  }

  #set(
    pageId: string,
    elements: readonly VersionOfElement[],
    elementOf: (changed: VersionOfElement) => BoardElement | null | undefined,
  ): void {
    for (const changed of elements) {
      const { element_id: id, version } = changed
      const key = keyOf(pageId, id)
      const element = elementOf(changed)
      clearTimeout(this.#pending.get(key)?.timer)
      const timer = setTimeout(() => this.#onSlow(key), SLOW_AFTER_MS)
      this.#versions.set(key, version)
      this.#pending.set(key, { pageId, id, version, element, isCommitted: false, isSlow: false, timer })
    }
    this.#changed.emit({ pageId, ids: idsOf(elements) })
  }

  /** Follows a command. If the connection loses it, it is sent again, with the same ids and versions. */
  #send(pageId: string, ids: readonly string[], command: () => Promise<object>): void {
    const pendingOf = (id: string) => this.#pending.get(keyOf(pageId, id))
    const versions = new Map(ids.map(id => [id, pendingOf(id)?.version]))
    const isLast = (id: string) => pendingOf(id)?.version === versions.get(id)
    void keepPageUntil(command()).then(
      (answer: Answer) => {
        const skipped = answer.skipped ?? []
        for (const id of ids.filter(isLast)) {
          const pending = pendingOf(id)
          if (pending) pending.isCommitted = true
        }
        this.#drop(pageId, skipped.filter(isLast))
        this.#onPage({ pageId, ids })
      },
      (error: unknown) => {
        this.#drop(pageId, ids.filter(isLast))
        this.#refused.emit({ pageId, ids, reason: reasonOf(error) })
      },
    )
  }

  #onSlow(key: string): void {
    const pending = this.#pending.get(key)
    if (!pending || pending.isCommitted) return
    pending.isSlow = true
    this.#changed.emit({ pageId: pending.pageId, ids: [pending.id] })
  }

  #onPage({ pageId, ids }: PageUpdate): void {
    const page = this.#link.page(pageId)
    const pending = ids
      ? ids.flatMap(id => this.#pending.get(keyOf(pageId, id)) ?? [])
      : [...this.#pending.values()].filter(each => each.pageId === pageId)
    for (const { id, element, version, isCommitted } of pending) {
      const confirmed = page?.get(id)
      // A page that is watched again comes with what was stored meanwhile.
      const isThere = page
        ? element === null
          ? confirmed === undefined
          : (confirmed?.version ?? 0) >= version
        : isCommitted
      // An element that was stored, and is not in a whole page, has been removed meanwhile.
      if (isThere || (isCommitted && ids === null)) this.#forget(pageId, id)
    }
    this.#changed.emit({ pageId, ids })
  }

  #drop(pageId: string, ids: readonly string[]): void {
    for (const id of ids) this.#forget(pageId, id)
    if (ids.length > 0) this.#changed.emit({ pageId, ids })
  }

  #forget(pageId: string, id: string): void {
    const key = keyOf(pageId, id)
    clearTimeout(this.#pending.get(key)?.timer)
    this.#pending.delete(key)
  }
}

const keyOf = (pageId: string, id: string) => `${pageId} ${id}`

const idsOf = (elements: readonly VersionOfElement[]) => elements.map(each => each.element_id)

function reasonOf(error: unknown): string {
  if (!(error instanceof ControlFailure)) return 'other'
  return error.reason ?? error.code
}

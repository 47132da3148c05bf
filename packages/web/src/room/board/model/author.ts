import { type Changes, type Content, History, type Step, withChanges } from '@lectern/board'
import { type Lifetime, Observable } from '@lectern/common'
import { type BoardElement, type VersionOfElement, zAbove } from '@lectern/protocol/control/client'
import { randomId } from '../../../random-id.ts'
import type { StoredValue } from '../../../stored-value.ts'
import type { Edits } from './edits.ts'

interface AuthorState {
  canUndo: boolean
  canRedo: boolean
}

interface AuthorOptions {
  edits: Edits
  userId: () => string
  /** The author's changes of a page, which survive a reload. */
  stored: (pageId: string) => StoredValue
}

/** This person's changes of the present page, and their undoing. Each page has its own history, and so has each author. */
export class Author extends Observable<AuthorState> {
  readonly #edits: Edits
  readonly #userId: () => string
  readonly #stored: AuthorOptions['stored']
  readonly #histories = new Map<string, History>()
  #pageId: string | null = null

  constructor({ edits, userId, stored }: AuthorOptions, lifetime: Lifetime) {
    super({ canUndo: false, canRedo: false })
    this.#edits = edits
    this.#userId = userId
    this.#stored = stored
    lifetime.defer(
      edits.onRefused(({ pageId, ids }) => {
        for (const id of ids) this.#histories.get(pageId)?.forget(id)
        this.#update()
      }),
    )
  }

  readonly setPage = (pageId: string | null): void => {
    this.#pageId = pageId
    this.#update()
  }

  /** Adds an element above all others of the page where it was begun; returns its id. */
  readonly draw = (content: Content, id = newElementId(), pageId = this.#pageId): string => {
    if (pageId === null) return id
    const z = zAbove(this.#edits.visible(pageId).at(-1)?.z ?? 0)
    const element: BoardElement = { ...content, element_id: id, version: 1, author_id: this.#userId(), z }
    this.#edits.put(pageId, element)
    this.#done({ is: 'added', pageId, elements: [{ element_id: id, version: 1 }] })
    return id
  }

  /** Here and below, another page than the present one MUST be watched. */
  readonly change = (id: string, changes: Changes, pageId = this.#pageId): void => {
    const element = pageId === null ? undefined : this.#edits.get(pageId, id)
    if (pageId === null || !element) return
    const data = element.data as unknown as Changes
    const before = Object.fromEntries(Object.keys(changes).map(key => [key, data[key] ?? '']))
    this.#do({ is: 'changed', pageId, elements: [element], before, after: changes })
  }

  readonly remove = (ids: readonly string[], pageId = this.#pageId): void =>
    this.#on(pageId, ids, { is: 'removed' })

  readonly move = (ids: readonly string[], dx: number, dy: number): void =>
    this.#on(this.#pageId, ids, { is: 'moved', dx: Math.round(dx), dy: Math.round(dy) })

  /** Removes everything that this person may remove. */
  readonly clear = async (): Promise<void> => {
    const pageId = this.#pageId
    if (pageId === null) return
    const elements = await this.#edits.clear(pageId)
    if (elements.length > 0) this.#done({ is: 'removed', pageId, elements })
  }

  readonly undo = (): void => {
    this.#history?.undo(this.#run)
    this.#update()
  }

  readonly redo = (): void => {
    this.#history?.redo(this.#run)
    this.#update()
  }

  get #history(): History | null {
    return this.#pageId === null ? null : this.#historyOf(this.#pageId)
  }

  #historyOf(pageId: string): History {
    const history = this.#histories.get(pageId) ?? new History(this.#stored(pageId))
    this.#histories.set(pageId, history)
    return history
  }

  #on(
    pageId: string | null,
    ids: readonly string[],
    what: { is: 'removed' } | { is: 'moved'; dx: number; dy: number },
  ): void {
    if (pageId === null) return
    const elements = ids.flatMap(id => this.#edits.get(pageId, id) ?? [])
    if (elements.length > 0) this.#do({ ...what, pageId, elements })
  }

  #do(step: Step): void {
    this.#done(this.#run(step))
  }

  #done(step: Step): void {
    const elements = step.elements.map(({ element_id, version }) => ({ element_id, version }))
    this.#historyOf(step.pageId).add({ ...step, elements })
    this.#update()
  }

  readonly #run = (step: Step): Step => {
    const { pageId } = step
    const elements = step.elements.map(
      (each): VersionOfElement => ({
        element_id: each.element_id,
        version: this.#edits.nextVersion(pageId, each),
      }),
    )
    switch (step.is) {
      case 'added':
        this.#edits.restore(pageId, elements)
        break
      case 'removed':
        this.#edits.remove(pageId, elements)
        break
      case 'moved':
        this.#edits.move(pageId, elements, step.dx, step.dy)
        break
      case 'changed':
        for (const { element_id, version } of elements) {
          const element = this.#edits.get(pageId, element_id)
          if (!element) continue
          this.#edits.put(pageId, {
            ...element,
            ...withChanges(element, step.after),
            version,
          } as BoardElement)
        }
    }
    return { ...step, elements }
  }

  #update(): void {
    const { canUndo = false, canRedo = false } = this.#history ?? {}
    const before = this.get()
    if (before.canUndo !== canUndo || before.canRedo !== canRedo) this.set({ canUndo, canRedo })
  }
}

/** Elements have their ids from who creates them. */
export const newElementId = (): string => randomId().slice(0, 16)

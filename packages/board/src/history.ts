import type { VersionOfElement } from '@lectern/protocol/control/client'
import type { Content } from './element.ts'

/** A change of elements of a page by an author, with the versions that they had after it. */
export type Step = { pageId: string; elements: readonly VersionOfElement[] } & (
  | { is: 'added' | 'removed' }
  | { is: 'moved'; dx: number; dy: number }
  | { is: 'changed'; before: Changes; after: Changes }
)

/** Parts of the data of an element, by the names of its fields. */
export type Changes = Readonly<Record<string, string | number>>

const STEPS_MAX = 200
/** The longest stored text of the steps, in characters: clearing a full page makes a large step. */
const STORED_MAX = 500_000

/** Storage in which the steps survive a reload. */
interface Storage {
  get: () => string | null
  set: (text: string) => unknown
}

/** The history of an author's changes: each step is undone by its inverse, so the work of others stays. */
export class History {
  readonly #storage: Storage
  #undo: Step[] = []
  #redo: Step[] = []

  constructor(storage: Storage) {
    this.#storage = storage
    const stored = readStored(storage.get())
    this.#undo = stored.undo
    this.#redo = stored.redo
  }

  get canUndo(): boolean {
    return this.#undo.length > 0
  }

  get canRedo(): boolean {
    return this.#redo.length > 0
  }

  /** The author did something. What was undone before it cannot be redone. */
  add(step: Step): void {
    this.#undo = [...this.#undo, step].slice(-STEPS_MAX)
    this.#redo = []
    this.#store()
  }

  /** Does the inverse of the last step. `run` returns it as it was done. False: there is no step. */
  undo(run: (step: Step) => Step): boolean {
    const step = this.#undo.pop()
    if (!step) return false
    this.#redo.push(inverse(run(inverse(step))))
    this.#store()
    return true
  }

  redo(run: (step: Step) => Step): boolean {
    const step = this.#redo.pop()
    if (!step) return false
    this.#undo.push(run(step))
    this.#store()
    return true
  }

  /** The server has refused what was done to an element: it cannot be undone. */
  forget(id: string): void {
    const isOther = ({ elements }: Step) => elements.every(each => each.element_id !== id)
    this.#undo = this.#undo.filter(isOther)
    this.#redo = this.#redo.filter(isOther)
    this.#store()
  }

  get #text(): string {
    return JSON.stringify({ undo: this.#undo, redo: this.#redo })
  }

  #store(): void {
    let text = this.#text
    while (this.#undo.length > 1 && text.length > STORED_MAX) {
      this.#undo.shift()
      text = this.#text
    }
    this.#storage.set(text)
  }
}

function inverse(step: Step): Step {
  switch (step.is) {
    case 'added':
      return { ...step, is: 'removed' }
    case 'removed':
      return { ...step, is: 'added' }
    case 'moved':
      return { ...step, dx: -step.dx, dy: -step.dy }
    case 'changed':
      return { ...step, before: step.after, after: step.before }
  }
}

/** The content with these parts. */
export const withChanges = (content: Content, changes: Changes): Content =>
  ({ ...content, data: { ...content.data, ...changes } }) as Content

function readStored(text: string | null): { undo: Step[]; redo: Step[] } {
  try {
    const { undo, redo } = JSON.parse(text ?? '') as { undo: unknown; redo: unknown }
    if (Array.isArray(undo) && Array.isArray(redo)) return { undo, redo }
  } catch {
    // Nothing was stored, or by a page of another version.
  }
  return { undo: [], redo: [] }
}

import { type BoardElement, byOrder } from './element.ts'

/** The elements of a page. Versions may arrive in any order, and more than once. */
export class PageContent {
  readonly #elements = new Map<string, BoardElement>()

  /** Returns those that are newer than what was known. */
  apply(elements: readonly BoardElement[]): BoardElement[] {
    const newer = elements.filter(each => each.version > (this.#elements.get(each.element_id)?.version ?? 0))
    for (const each of newer) this.#elements.set(each.element_id, each)
    return newer
  }

  /** The complete state of the page, instead of what was known. */
  replace(elements: readonly BoardElement[]): void {
    this.#elements.clear()
    this.apply(elements)
  }

  get(id: string): BoardElement | undefined {
    return this.#elements.get(id)
  }

  /** What is not deleted, from below to above. */
  visible(): BoardElement[] {
    return [...this.#elements.values()].filter(each => !each.deleted).sort(byOrder)
  }

  /** The same for pages with the same versions of the same elements. */
  hash(): string {
    return hashOf([...this.#elements.values()])
  }
}

/** FNV-1a of all ids and versions, in the order of the ids. */
export function hashOf(elements: readonly Pick<BoardElement, 'element_id' | 'version'>[]): string {
  const lines = elements.map(each => `${each.element_id}:${each.version}\n`).sort()
  let hash = 0x811c9dc5
  for (const character of lines.join('')) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193)
  return (hash >>> 0).toString(16).padStart(8, '0')
}

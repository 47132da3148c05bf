import type { BoardElement, PageEvent, VersionOfElement } from '@lectern/protocol/control'
import type { DeletedElement, StoredElement } from './ports.ts'

/** The elements of a page in memory, and how they are published. */

export interface Live extends StoredElement {
  is: 'live'
  /** Characters of the element as JSON, which everybody gets who opens the page. */
  size: number
}

export interface Deleted extends DeletedElement {
  is: 'deleted'
}

export type Entry = Live | Deleted

export type Versions = VersionOfElement[]

export const presentElement = ({
  elementId,
  version,
  authorId,
  z,
  content,
}: StoredElement): BoardElement => ({
  element_id: elementId,
  version,
  author_id: authorId === null ? null : String(authorId),
  z,
  ...content,
})

export const toLive = (element: StoredElement): Live => ({
  elementId: element.elementId,
  version: element.version,
  authorId: element.authorId,
  z: element.z,
  content: element.content,
  change: element.change,
  is: 'live',
  size: JSON.stringify(presentElement(element)).length,
})

export const toDeleted = ({ elementId, authorId, size }: Live, version: number, change: string): Deleted => ({
  is: 'deleted',
  elementId,
  version,
  authorId,
  change,
  size,
})

export const versionOf = ({
  elementId,
  version,
}: {
  elementId: string
  version: number
}): VersionOfElement => ({
  element_id: elementId,
  version,
})

/** Events that fit into frames. */
export const EVENT_BYTES = 200_000

export function elementsEvents(elements: Live[]): PageEvent[] {
  const events: { name: 'board.elements'; body: { elements: BoardElement[] } }[] = []
  let bytes = 0
  for (const element of elements) {
    const last = events.at(-1)
    if (last && bytes + element.size <= EVENT_BYTES) last.body.elements.push(presentElement(element))
    else events.push({ name: 'board.elements', body: { elements: [presentElement(element)] } })
    bytes = events.at(-1) === last ? bytes + element.size : element.size
  }
  return events as PageEvent[]
}

/** Each takes 70 characters at most. */
const DELETED_PER_EVENT = 2_500

export function deletedEvents(elements: Versions): PageEvent[] {
  const events: PageEvent[] = []
  for (let i = 0; i < elements.length; i += DELETED_PER_EVENT)
    events.push({ name: 'board.deleted', body: { elements: elements.slice(i, i + DELETED_PER_EVENT) } })
  return events
}

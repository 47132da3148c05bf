import type { BoardIndex, PageState } from './board.ts'
import type { BoardElement, ElementContent, VersionOfElement } from './elements.ts'
import { VERSION_MAX } from './limits.ts'

/** The elements of a page by id. Server and clients change it by the same functions. */
export type PageElements = Map<string, BoardElement>

/** The content of an element after a move. Points of strokes are in tenths of a unit. */
export function moveContent(content: ElementContent, dx: number, dy: number): ElementContent {
  switch (content.kind) {
    case 'stroke':
    case 'marker': {
      const points = [...content.data.points]
      points[0] = (points[0] ?? 0) + 10 * dx
      points[1] = (points[1] ?? 0) + 10 * dy
      return { kind: content.kind, data: { ...content.data, points } }
    }
    case 'line':
    case 'arrow':
    case 'rectangle':
    case 'ellipse': {
      const { x1, y1, x2, y2 } = content.data
      return {
        kind: content.kind,
        data: { ...content.data, x1: x1 + dx, y1: y1 + dy, x2: x2 + dx, y2: y2 + dy },
      }
    }
    case 'text':
      return { kind: 'text', data: { ...content.data, x: content.data.x + dx, y: content.data.y + dy } }
    case 'image':
      return { kind: 'image', data: { ...content.data, x: content.data.x + dx, y: content.data.y + dy } }
  }
}

export const pageElements = ({ elements }: PageState): PageElements =>
  new Map(elements.map(element => [element.element_id, element]))

/**
 * Applies an event of a page's stream and returns the ids of the elements that it concerns. Events of other names change
 * nothing.
 */
export function applyPageEvent(page: PageElements, name: string, body: unknown): string[] {
  switch (name) {
    case 'board.elements': {
      const { elements } = body as { elements: BoardElement[] }
      for (const element of elements) page.set(element.element_id, element)
      return elements.map(({ element_id }) => element_id)
    }
    case 'board.deleted': {
      const { elements } = body as { elements: VersionOfElement[] }
      for (const { element_id } of elements) page.delete(element_id)
      return elements.map(({ element_id }) => element_id)
    }
    case 'board.moved': {
      const { dx, dy, elements } = body as { dx: number; dy: number; elements: VersionOfElement[] }
      for (const { element_id, version } of elements) {
        const element = page.get(element_id)
        if (element) page.set(element_id, { ...element, ...moveContent(element, dx, dy), version })
      }
      return elements.map(({ element_id }) => element_id)
    }
    default:
      return []
  }
}

/** The index after a `board.changed`; undefined until its pages, the shown page and the rights are all known. */
export function applyBoardChanged(
  index: BoardIndex | undefined,
  changed: Partial<BoardIndex>,
): BoardIndex | undefined {
  const next = { ...index, ...changed }
  return next.pages && next.shown_page_id !== undefined && next.rights ? (next as BoardIndex) : index
}

/** The ids and versions of a page, in the order of the ids: equal for all who watch it. */
export const versionsOfPage = (page: PageElements): string =>
  [...page.values()]
    .map(({ element_id, version }) => `${element_id}:${version}`)
    .sort()
    .join(' ')

/** From back to front. */
export const compareElements = (
  one: Pick<BoardElement, 'z' | 'element_id'>,
  other: Pick<BoardElement, 'z' | 'element_id'>,
): number => one.z - other.z || (one.element_id < other.element_id ? -1 : 1)

/** Above all elements whose z is at most this one, unless there is nothing above. */
export const zAbove = (z: number): number => Math.min(z + 1, VERSION_MAX)

/** The stream of a page; a page_id is unique within its conference only. */
export const pageStream = (conferenceSessionId: string, pageId: string) =>
  `page:${conferenceSessionId}.${pageId}`

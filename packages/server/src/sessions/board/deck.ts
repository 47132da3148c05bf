import {
  type BoardIndex,
  type BoardPage,
  type CommandBody,
  hasSpaceFor,
  PAGE_HEIGHT,
  PAGE_WIDTH,
} from '@lectern/protocol/control'
import { isModerator } from '../policy.ts'
import { assertOrRefuse, ConferenceRefusal } from '../refusals.ts'
import type { Session } from '../session.ts'
import type { DeckPage, PageCopy, SessionBoard, StoredDeck } from './ports.ts'
import { isPrivate, pageOf } from './rights.ts'

export const EMPTY_PAGE: Pick<DeckPage, 'width' | 'height' | 'background'> = {
  width: PAGE_WIDTH,
  height: PAGE_HEIGHT,
  background: { kind: 'blank' },
}

export const presentIndex = ({ pages, shownPageId, rights }: StoredDeck): BoardIndex => ({
  pages: pages.map(presentPage),
  shown_page_id: shownPageId,
  rights,
})

const presentPage = ({ pageId, ownerId, copyOf, ...rest }: DeckPage): BoardPage => ({
  page_id: pageId,
  ...rest,
  ...(ownerId !== undefined && { owner_id: String(ownerId) }),
  ...(copyOf !== undefined && { copy_of: copyOf }),
})

/** The parts of the index that differ. */
export function changesOf(before: StoredDeck, after: StoredDeck): Partial<BoardIndex> {
  const [old, now] = [presentIndex(before), presentIndex(after)]
  const names = Object.keys(now) as (keyof BoardIndex)[]
  return Object.fromEntries(
    names
      .filter(name => JSON.stringify(old[name]) !== JSON.stringify(now[name]))
      .map(name => [name, now[name]]),
  )
}

/** A deck after a command, and the pages that are copied with it. */
export interface DeckChange {
  deck: StoredDeck
  copies?: PageCopy[]
}

/** Changes of the deck by commands about pages (rules BOARD-10 to BOARD-12). A repetition changes nothing. */
export const deckCommands = {
  'board.page_add': ({ deck }: SessionBoard, body: CommandBody<'board.page_add'>): DeckChange => {
    const { page_id: pageId, after_page_id, width, height, background } = body
    if (pageOf(deck, pageId)) return { deck }
    const page: DeckPage = {
      pageId,
      width: width ?? EMPTY_PAGE.width,
      height: height ?? EMPTY_PAGE.height,
      background: background ?? EMPTY_PAGE.background,
    }
    const after = deck.pages.findIndex(each => each.pageId === after_page_id)
    return { deck: withPages(deck, deck.pages.toSpliced(after < 0 ? deck.pages.length : after + 1, 0, page)) }
  },
  'board.page_remove': (
    { deck }: SessionBoard,
    { page_id, copies = false }: CommandBody<'board.page_remove'>,
  ): DeckChange => {
    if (copies) return { deck: withoutCopies(deck, page_id) }
    const index = deck.pages.findIndex(({ pageId }) => pageId === page_id)
    if (index < 0) return { deck }
    const pages = deck.pages.toSpliced(index, 1)
    const shown =
      pages.slice(index).find(page => !isPrivate(page)) ?? pages.findLast(page => !isPrivate(page))
    assertOrRefuse(shown, 'last_page')
    return {
      deck: { ...deck, pages, shownPageId: deck.shownPageId === page_id ? shown.pageId : deck.shownPageId },
    }
  },
  'board.page_order': ({ deck }: SessionBoard, { page_ids }: CommandBody<'board.page_order'>): DeckChange => {
    const named = [...new Set(page_ids)].flatMap(id => pageOf(deck, id) ?? [])
    const others = deck.pages.filter(page => !named.includes(page))
    return { deck: { ...deck, pages: [...named, ...others] } }
  },
  'board.page_show': ({ deck }: SessionBoard, { page_id }: CommandBody<'board.page_show'>): DeckChange => {
    assertOrRefuse(page_id === null || !isPrivate(requirePage(deck, page_id)), 'page_private')
    return { deck: { ...deck, shownPageId: page_id } }
  },
  'board.show_copy': ({ deck }: SessionBoard, { page_id }: CommandBody<'board.show_copy'>): DeckChange => {
    requirePage(deck, page_id)
    return { deck: { ...deck, shownPageId: page_id } }
  },
  'board.set_rights': ({ deck }: SessionBoard, body: CommandBody<'board.set_rights'>): DeckChange => {
    const { mode, user_ids = [] } = body
    const lookAround = body.look_around ?? deck.rights.look_around ?? true
    const rights = {
      mode,
      ...(mode === 'chosen' && { user_ids: [...new Set(user_ids)] }),
      ...(!lookAround && { look_around: false }),
    }
    const next = { ...deck, rights }
    assertOrRefuse(hasSpace(next) || countOf(rights) <= countOf(deck.rights), 'deck_full')
    return { deck: next }
  },
  'board.hand_out': (
    { deck }: SessionBoard,
    { page_id }: CommandBody<'board.hand_out'>,
    session: Session,
    digest: (text: string) => string,
  ): DeckChange => {
    const { pageId: _, ownerId: __, copyOf: ___, ...look } = requirePage(deck, page_id)
    const people = [...session.participants.values()]
    const moderators = new Set(people.filter(isModerator).map(({ userId }) => userId))
    const pupils = [...new Set(people.map(({ userId }) => userId))].filter(id => !moderators.has(id))
    const copies = pupils
      // One copy of a page for each person, however often it is handed out.
      .map(ownerId => ({ ...look, pageId: digest(`${page_id} ${ownerId}`), ownerId, copyOf: page_id }))
      .filter(({ pageId }) => !pageOf(deck, pageId))
    return {
      deck: withPages(deck, [...deck.pages, ...copies]),
      copies: copies.map(({ pageId: to }) => ({ from: page_id, to })),
    }
  },
}
export type DeckCommand = keyof typeof deckCommands

/** Where one of the copies is shown, its page is, or the first one of everybody. */
function withoutCopies(deck: StoredDeck, pageId: string): StoredDeck {
  const pages = deck.pages.filter(({ copyOf }) => copyOf !== pageId)
  const isShown = deck.shownPageId === null || pages.some(page => page.pageId === deck.shownPageId)
  const shown = pageOf(deck, pageId) ?? pages.find(page => !isPrivate(page))
  return { ...deck, pages, shownPageId: isShown ? deck.shownPageId : (shown?.pageId ?? null) }
}

const countOf = ({ user_ids = [] }: StoredDeck['rights']): number => user_ids.length

export function requirePage(deck: StoredDeck, pageId: string): DeckPage {
  const page = pageOf(deck, pageId)
  if (!page) throw new ConferenceRefusal('no_such_page')
  return page
}

function withPages(deck: StoredDeck, pages: DeckPage[]): StoredDeck {
  const next = { ...deck, pages }
  assertOrRefuse(hasSpace(next) || pages.length === deck.pages.length, 'deck_full')
  return next
}

/** Rule BOARD-13. */
export const hasSpace = (deck: StoredDeck): boolean => hasSpaceFor(presentIndex(deck))

import { isModerator } from '../policy.ts'
import type { Participant, Session } from '../session.ts'
import type { DeckPage, StoredDeck } from './ports.ts'

/** Permissions on the board, as pure functions. */

type Who = Pick<Participant, 'userId' | 'role'>

export const pageOf = (deck: StoredDeck, pageId: string): DeckPage | undefined =>
  deck.pages.find(page => page.pageId === pageId)

export const isPrivate = ({ ownerId }: DeckPage): boolean => ownerId !== undefined

/** Rule BOARD-9. */
export function mayDraw({ rights }: StoredDeck, page: DeckPage, self: Who): boolean {
  if (rights.mode === 'nobody') return false
  if (isModerator(self) || page.ownerId === self.userId) return true
  if (isPrivate(page)) return false
  return rights.mode === 'everybody' || isChosen(rights, self)
}

const isChosen = ({ mode, user_ids = [] }: StoredDeck['rights'], { userId }: Who) =>
  mode === 'chosen' && user_ids.includes(String(userId))

/** Rule BOARD-4. */
export const mayWatch = ({ shownPageId, rights }: StoredDeck, page: DeckPage, self: Who): boolean =>
  page.pageId === shownPageId ||
  page.ownerId === self.userId ||
  isModerator(self) ||
  (!isPrivate(page) && rights.look_around !== false)

/** Rule BOARD-8. */
export const mayChangeAll = (page: DeckPage, self: Who): boolean =>
  isModerator(self) || page.ownerId === self.userId

/** Observers, such as the recorder, are not participants: they may watch every page. */
export function mayKeepWatching(session: Session, page: DeckPage, key: string): boolean {
  const participant = session.participants.get(key)
  return !session.board || !participant || mayWatch(session.board.deck, page, participant)
}

import type { BoardIndex, ParticipantView } from '@lectern/protocol/control/client'

type Rights = BoardIndex['rights']

/** Whether somebody who is no moderator may draw on the pages of the lesson. */
export const mayDrawOnPages = ({ mode, user_ids = [] }: Rights, userId: string): boolean =>
  mode === 'everybody' || (mode === 'chosen' && user_ids.includes(userId))

/**
 * The rights with those of one person changed. Whoever else is there keeps theirs; where everybody could draw, people who
 * come later cannot.
 */
export function withDrawer(
  rights: Rights,
  userId: string,
  may: boolean,
  participants: readonly Pick<ParticipantView, 'user_id' | 'role'>[],
): Rights {
  const { mode, user_ids = [] } = rights
  const present = participants.filter(({ role }) => role !== 'moderator').map(each => each.user_id)
  const before = mode === 'everybody' ? present : mode === 'chosen' ? user_ids : []
  const others = new Set(before)
  others.delete(userId)
  return { mode: 'chosen', user_ids: [...others, ...(may ? [userId] : [])] }
}

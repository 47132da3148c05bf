import type { JoinedState } from '../../joined-state.ts'

/** Null: somebody who is not here. */
export const authorName = ({ session }: JoinedState, userId: string | null): string | null =>
  session.participants.find(each => each.user_id === userId)?.display_name ?? null

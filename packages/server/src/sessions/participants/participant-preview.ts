import type { Session } from '../session.ts'

/** The people inside of a conference, for people who have not joined: the names of the first ones, and how many they are. */
export interface ParticipantPreview {
  names: string[]
  count: number
}

/** `isGuarded`: newcomers may have to wait: it has a lobby, it is locked, or somebody was removed. */
export interface SessionPreview extends ParticipantPreview {
  isGuarded: boolean
}

const NAMES_MAX = 2

/** A person with several connections counts once; somebody who has lost the connection is not inside. Null without a session. */
export function previewSession(session: Session | undefined): SessionPreview | null {
  if (!session) return null
  const { participants, locked, removed, conference } = session
  const names = new Map<number, string>()
  for (const { userId, displayName, presence } of participants.values())
    if (presence.is === 'here' && !names.has(userId)) names.set(userId, displayName)
  return {
    names: [...names.values()].slice(0, NAMES_MAX),
    count: names.size,
    isGuarded: locked || removed.size > 0 || conference?.settings?.hasLobby === true,
  }
}

/** Before they join, people see only whom they see inside at once: moderators always, others unless they may have to wait. */
export function previewFor(
  preview: SessionPreview | null,
  { isModerator }: { isModerator: boolean },
): ParticipantPreview | null {
  if (!preview || preview.count === 0 || (preview.isGuarded && !isModerator)) return null
  return { names: preview.names, count: preview.count }
}

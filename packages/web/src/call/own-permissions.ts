import type { SessionView } from '@lectern/control-client'
import type { ParticipantView, PermittedSource } from '@lectern/protocol/control/client'

/** The permissions of somebody; `files`: in the chat, if they may write there. */
export type OwnPermissions = Readonly<Record<PermittedSource | 'chat' | 'files', boolean>>

type Session = Pick<SessionView, 'chat_mode' | 'permissions' | 'person_permissions'>

/** Everything is permitted to moderators; an exception for a person counts more than what everybody may (rule MOD-2). */
export function permissionsOf(
  { chat_mode, permissions, person_permissions }: Session,
  { role, user_id }: Pick<ParticipantView, 'role' | 'user_id'>,
): OwnPermissions {
  if (role === 'moderator') return ALL_PERMITTED
  const { user_id: _, ...exceptions } = person_permissions.find(each => each.user_id === user_id) ?? {
    user_id,
  }
  return { files: true, ...permissions, chat: chat_mode === 'open', ...exceptions }
}

export const ALL_PERMITTED: OwnPermissions = {
  microphone: true,
  camera: true,
  screen: true,
  chat: true,
  files: true,
}

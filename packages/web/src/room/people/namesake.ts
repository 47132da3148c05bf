import { looksLikeName } from '@lectern/protocol'
import type { ParticipantView } from '@lectern/protocol/control/client'

/** Whether somebody who is not a moderator of the session could be taken for one by the name. */
export function isNamesake(
  { user_id, display_name }: Pick<ParticipantView, 'user_id' | 'display_name'>,
  participants: readonly ParticipantView[],
): boolean {
  const moderators = participants.filter(({ role }) => role === 'moderator')
  return (
    moderators.some(each => looksLikeName(display_name, each.display_name)) &&
    !moderators.some(each => each.user_id === user_id)
  )
}

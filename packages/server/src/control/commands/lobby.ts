import type { Handler } from './command.ts'
import { connectedUserOf } from './conference.ts'

/** Rules A1 to A14. Moderators admit and deny by commands of the session. */

export const enterLobby: Handler<'lobby.enter'> = async (
  { participants, lobbyLimiter },
  sender,
  { target, body, expectedVersion, startBy },
) => {
  const tag = target.id
  const user = connectedUserOf(sender, tag, body.display_name)
  lobbyLimiter.enforce(user.userId, sender.address)
  const reason = await participants.enterLobby(tag, user, { expectedVersion, startBy })
  // A connection that ended meanwhile must not wait.
  if (sender.isOver) await participants.leaveLobbies(sender.id)
  return { data: reason === null ? { status: 'admitted' } : { status: 'waiting', reason } }
}

export const leaveLobby: Handler<'lobby.leave'> = async ({ participants }, sender, { target }) => {
  await participants.leaveLobby(target.id, sender.id)
  return {}
}

import type { RoomFeature } from '@lectern/protocol'
import type { CommandBody, MediaSource, PermittedSource } from '@lectern/protocol/control'
import type { ConnectedUser, Moderation, StoredMessage, StoredState } from './ports.ts'
import { devicesOf, type Participant, type Session } from './session.ts'

/** Permissions, as pure functions. */

export const isModerator = (who: Pick<Participant, 'role'>) => who.role === 'moderator'

export const isRemoved = (session: Session, { userId }: Pick<ConnectedUser, 'userId'>) =>
  session.removed.has(userId)

/** Membership is by account: it covers every device, a reload and a long absence. */
export const isMember = (session: Session, userId: number) => session.members.has(userId)

export const canLock = (self: Participant) => isModerator(self)

export const canEnd = (self: Participant) => isModerator(self)

export const canRecord = (self: Participant) => isModerator(self)

export const canTranscribe = (self: Participant) => isModerator(self)

export const canSetChatMode = (self: Participant) => isModerator(self)

export const canModerate = (self: Participant) => isModerator(self)

/** Whether the partner of the room has left it on. */
export const hasFeature = ({ conference }: Pick<Session, 'conference'>, name: RoomFeature): boolean =>
  conference?.settings?.features[name] ?? true

/** Whether somebody who is not a moderator may write in the chat: an exception for the person counts more than the mode. */
export const mayWrite = (
  { chatMode, moderation }: Pick<StoredState, 'chatMode' | 'moderation'>,
  userId: number,
) => exceptionOf(moderation, userId)?.chat ?? chatMode === 'open'

export const canWrite = (session: Session, self: Participant) =>
  hasFeature(session, 'chat') && mayExpress(session, self)

/** Reactions are for those who may write, also in a room without chat. */
export const canReact = (session: Session, self: Participant) =>
  hasFeature(session, 'reactions') && mayExpress(session, self)

const mayExpress = (session: Session, self: Participant) =>
  isModerator(self) || mayWrite(session, self.userId)

/** Files in the chat, for those who may write there. */
export const maySendFiles = (state: Pick<StoredState, 'chatMode' | 'moderation'>, userId: number) =>
  mayWrite(state, userId) &&
  (exceptionOf(state.moderation, userId)?.files ?? state.moderation.permissions.files ?? true)

export const canSendFiles = (session: Session, self: Participant) =>
  hasFeature(session, 'files') &&
  canWrite(session, self) &&
  (isModerator(self) || maySendFiles(session, self.userId))

export const canDeleteMessage = (self: Participant, { userId }: Pick<StoredMessage, 'userId'>) =>
  isModerator(self) || userId === self.userId

/** Senders choose the names of their sources, and a voice can have any: audio always needs the microphone (rule MOD-1). */
const NEEDED: Record<MediaSource, readonly PermittedSource[]> = {
  microphone: ['microphone'],
  camera: ['camera'],
  screen: ['screen'],
  screen_audio: ['screen', 'microphone'],
}

/** The permission that somebody lacks for this source. */
export function findMissing(
  session: Session,
  self: Participant,
  source: MediaSource,
): PermittedSource | undefined {
  const { moderation } = session
  if (NEEDED[source].includes('screen') && !hasFeature(session, 'screen_sharing')) return 'screen'
  if (isModerator(self)) return undefined
  const permissions = { ...moderation.permissions, ...exceptionOf(moderation, self.userId) }
  return NEEDED[source].find(needed => !permissions[needed])
}

export const maySend = (session: Session, self: Participant, source: MediaSource): boolean =>
  findMissing(session, self, source) === undefined

/** Only the presenter of a screen may point at it, while it is sent (rule N6). */
export function mayPoint(session: Session, self: Participant, publicationId: string): boolean {
  const publication = session.publications.get(publicationId)
  return (
    publication?.source === 'screen' &&
    publication.participant_id === self.id &&
    !publication.paused &&
    maySend(session, self, 'screen')
  )
}

const exceptionOf = ({ exceptions }: Moderation, userId: number) =>
  exceptions.find(each => each.userId === userId)

export const canModerateMembers = (self: Participant) => isModerator(self)

/** Accounts that moderate on any device cannot be removed. */
export const isRemovable = (session: Session, self: Participant, target: Participant) =>
  target.userId !== self.userId && !devicesOf(session, target.userId).some(isModerator)

export const canMute = (self: Participant, target: Participant) =>
  isModerator(self) || target.userId === self.userId

export const canMuteAll = (self: Participant) => isModerator(self)

/** A moderator may lower the hand of another participant, and change nothing else. */
export const canUpdate = (
  self: Participant,
  target: Participant,
  { display_name, hand_raised }: CommandBody<'participant.update'>,
) => target.id === self.id || (isModerator(self) && display_name === undefined && hand_raised === false)

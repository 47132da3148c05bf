import type { CommandBody } from '@lectern/protocol/control'
import type { Person } from './ports.ts'
import { devicesOf, type Participant, type Session } from './session.ts'

/** Pure questions, answered yes or no. */

export const isModerator = (who: Pick<Participant, 'role'>) => who.role === 'moderator'

export const isRemoved = (session: Session, { userId }: Pick<Person, 'userId'>) => session.removed.has(userId)

/** The lock is for people, not devices: who is inside may come with another one, or reload the page. */
export const canPassLock = (session: Session, person: Pick<Person, 'userId' | 'role'>) =>
  !session.locked ||
  isModerator(person) ||
  session.awaited.has(person.userId) ||
  devicesOf(session, person.userId).length > 0

export const canLock = (self: Participant) => isModerator(self)

export const canEnd = (self: Participant) => isModerator(self)

export const canRecord = (self: Participant) => isModerator(self)

export const canTranscribe = (self: Participant) => isModerator(self)

export const canSetChatMode = (self: Participant) => isModerator(self)

export const canWrite = (session: Session, self: Participant) =>
  session.chatMode === 'open' || isModerator(self)

export const canModerateMembers = (self: Participant) => isModerator(self)

/** Nobody with a moderator's connection, on whichever device. */
export const isRemovable = (session: Session, self: Participant, target: Participant) =>
  target.userId !== self.userId && !devicesOf(session, target.userId).some(isModerator)

export const canMute = (self: Participant, target: Participant) =>
  isModerator(self) || target.userId === self.userId

export const canMuteAll = (self: Participant) => isModerator(self)

/** Of another, a moderator may lower the hand and do nothing else. */
export const canUpdate = (
  self: Participant,
  target: Participant,
  { display_name, hand_raised }: CommandBody<'participant.update'>,
) => target.id === self.id || (isModerator(self) && display_name === undefined && hand_raised === false)

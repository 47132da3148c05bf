import type { Person } from './people.ts'

/** The actions of a moderator on a person that the server permits, so that no button is refused. */
export interface PersonPermissions {
  mute: boolean
  remove: boolean
}

/** For moderators. The own person has the control bar. */
export const permissionsFor = (person: Person): PersonPermissions => ({
  mute: !person.isMe && person.devices.some(each => each.microphone),
  remove: !person.isMe && !person.isModerator,
})

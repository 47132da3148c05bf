import type { Person } from './people.ts'

/** What a moderator may do with a person, by the server's rules, so that no button is refused. */
export interface PersonPermissions {
  mute: boolean
  remove: boolean
}

/** For moderators. The own person has the control bar. */
export const permissionsFor = (person: Person): PersonPermissions => ({
  mute: !person.isMe && person.devices.some(each => each.microphone),
  remove: !person.isMe && !person.isModerator,
})

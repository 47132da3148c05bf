import { hasHandUp, type Person } from './people.ts'

/** What one may do with somebody: the server's own rules, so that no button is refused. */
export interface PersonPermissions {
  mute: boolean
  lowerHand: boolean
  remove: boolean
}

/** For moderators; everybody else only looks on. Oneself has the controls below the stage. */
export const permissionsFor = (person: Person): PersonPermissions => ({
  mute: !person.isMe && person.devices.some(each => each.microphone),
  lowerHand: !person.isMe && hasHandUp(person),
  remove: !person.isMe && !person.isModerator,
})

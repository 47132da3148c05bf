/** Why the meeting ended for the user. */
export const callEnded = {
  again: 'Rejoin',
  reload: 'Reload page',
  left: { title: 'You left the meeting', text: 'The meeting continues without you.' },
  removed: {
    title: 'You were removed from the meeting',
    text: 'A moderator removed you. You can rejoin once a moderator lets you back in.',
    text_teacher: 'The teacher removed you. You can rejoin once the teacher lets you back in.',
  },
  ended: { title: 'The meeting has ended', text: 'You can close this page.' },
  closed: { title: 'This room was closed', text: 'The meeting has ended. You can close this page.' },
  cancelled: { title: 'This meeting was cancelled', text: 'It will not take place.' },
  denied: {
    title: 'Your request to join was denied',
    text: 'You can ask again in a few minutes.',
  },
  timed_out: { title: 'Nobody let you in', text: 'You waited for a long time. You can ask again.' },
  lobby_full: {
    title: 'Too many people are waiting',
    text: 'The waiting room is full. Try again in a few minutes.',
  },
  plain_link_closed: {
    title: 'This room requires a personal link',
    text: 'Ask the person who invited you for your personal link.',
  },
  full: { title: 'The meeting is full', text: 'Try again when someone has left.' },
  too_many_devices: {
    title: 'You joined from too many devices',
    text: 'Leave the meeting in another tab or on another device, then try again.',
  },
  not_found: {
    title: 'This room no longer exists',
    text: 'Ask the person who invited you for a new link.',
  },
  link_rotated: {
    title: 'Your link was replaced',
    text: 'There is a newer link to this room. Ask the person who invited you for it.',
  },
  link_invalid: {
    title: 'Your link is no longer valid',
    text: 'Ask the person who invited you for a new one.',
  },
  guests_not_allowed: {
    title: 'Guests cannot join this meeting',
    text: 'Ask the person who invited you for a personal link.',
  },
  signed_out: {
    title: 'You were signed out',
    text: 'Join again. If that does not help, clear the data of this site in your browser settings, and open the link again.',
  },
  account_deleted: {
    title: 'Your account was deleted',
    text: 'Open your link again, or ask the person who invited you for a new one.',
  },
  incompatible: {
    title: 'This page is out of date',
    text: 'The server was updated. Reload the page to rejoin.',
  },
  refused: {
    title: 'You could not join',
    text: 'The server did not let you in. Try again; if that does not help, contact the person who invited you.',
  },
}

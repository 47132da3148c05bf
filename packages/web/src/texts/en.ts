/** Every text of the pages. The other languages have the same keys. */
export const en = {
  link: {
    opening: 'Opening your link…',
    code: 'Code for support:',
  },
  invitation: {
    heading: 'Invitation',
    untitled: 'Untitled room',
    time: 'When',
    from: 'from {{time}}',
    until: 'until {{time}}',
    zone: 'Your time: {{zone}}',
    guest: 'You are invited as',
    personal: 'This link is yours alone. Do not pass it on: whoever opens it joins in your name.',
  },
  role: {
    teacher: 'Teacher',
    student: 'Student',
  },
  status: {
    live: 'In progress',
    scheduled: 'Scheduled',
    empty: 'Nobody is in the room now',
  },
  timing: {
    ahead: 'Starts {{when}}',
    starting: 'Starting now',
    due: 'Was due to start {{when}}',
    over: 'Its planned time ended {{when}}',
    'live-until': 'Ends {{when}}',
    overtime: 'Running past its planned end',
  },
  refused: {
    link_incomplete: {
      title: 'This link looks incomplete',
      text: 'Part of the address is missing. Copy the whole link again from the message it came in, or open it from there.',
    },
    link_foreign: {
      title: 'This link is not from here',
      text: 'This server did not make it, or a character was changed on the way. Copy the link again, or ask whoever invited you for a new one.',
    },
    link_rotated: {
      title: 'This link was replaced',
      text: 'There is a newer link to this room. Ask whoever invited you for the newest one.',
    },
    room_closed: {
      title: 'This room is closed',
      text: 'The meeting has ended. If you expected it to go on, ask whoever invited you.',
    },
    room_cancelled: {
      title: 'This meeting was cancelled',
      text: 'It will not take place. Whoever invited you knows whether there is another time.',
    },
    room_not_found: {
      title: 'This room no longer exists',
      text: 'The link is genuine, but its room is gone. Ask whoever invited you for a new link.',
    },
    conference_not_found: {
      title: 'There is no such room',
      text: 'Check the address letter by letter, or ask whoever invited you for the link.',
    },
    links_off: {
      title: 'Links are switched off here',
      text: 'This server does not open personal links at the moment. Tell whoever invited you.',
    },
    unknown: {
      title: 'This link could not be opened',
      text: 'The server gave an answer that this page does not know. Reload the page; if that does not help, tell whoever invited you.',
    },
  },
  trouble: {
    unreachable: {
      title: 'The server cannot be reached',
      text: 'Check your internet connection. This page keeps trying by itself.',
    },
    failing: {
      title: 'The server is having trouble',
      text: 'Your link may well be fine. This page keeps trying by itself.',
    },
    rate_limited: {
      title: 'Too many attempts',
      text: 'Too many requests came from your network. You need do nothing: this page tries again by itself.',
    },
    next: 'Next try {{when}}',
    now: 'Trying again…',
    again: 'Try again',
  },
  nowhere: {
    title: 'There is nothing here',
    text: 'Open the link from your invitation. If you typed the address, check it letter by letter.',
  },
}

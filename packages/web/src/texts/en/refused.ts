/** Links that do not open, and pages that do not load. */
export const refused = {
  link_incomplete: {
    title: 'This link is incomplete',
    text: 'Part of the address is missing. Copy the whole link from the message you received, or open it from there.',
  },
  link_foreign: {
    title: 'This link is damaged',
    text: 'It may have changed when it was copied, or it belongs to another server. Copy it again, or ask the person who invited you for a new one.',
  },
  link_rotated: {
    title: 'This link was replaced',
    text: 'There is a newer link to this room. Ask the person who invited you for it.',
  },
  room_closed: {
    title: 'This room is closed',
    text: 'The meeting has ended. If you expected it to continue, contact the person who invited you.',
  },
  plain_link_closed: {
    title: 'This room requires a personal link',
    text: 'Ask the person who invited you for your personal link.',
  },
  room_cancelled: {
    title: 'This meeting was cancelled',
    text: 'It will not take place. Ask the person who invited you about another time.',
  },
  account_deleted: {
    title: 'This account was deleted',
    text: 'The account that this link belongs to no longer exists. Ask the person who invited you for a new link.',
  },
  account_disabled: {
    title: 'This account is disabled',
    text: 'An administrator has disabled the account that this link belongs to. Ask the person who invited you.',
  },
  room_not_found: {
    title: 'This room no longer exists',
    text: 'The link is valid, but its room was deleted. Ask the person who invited you for a new link.',
  },
  conference_not_found: {
    title: 'This meeting does not exist',
    text: 'Check the address, or ask the person who invited you for the link.',
  },
  links_off: {
    title: 'Personal links are turned off',
    text: 'This server does not accept personal links right now. Tell the person who invited you.',
  },
  unknown: {
    title: 'This link could not be opened',
    text: 'The server sent an unexpected response. Reload the page; if that does not help, contact the person who invited you.',
  },
}

export const problem = {
  unreachable: {
    title: 'The server cannot be reached',
    text: 'Check your internet connection. This page keeps trying automatically.',
  },
  failing: {
    title: 'The server is having problems',
    text: 'Your link may be fine. This page keeps trying automatically.',
  },
  rate_limited: {
    title: 'Too many attempts',
    text: 'There were too many requests from your network. This page tries again automatically.',
  },
  next: 'Next attempt {{when}}',
  now: 'Trying again…',
  again: 'Try again',
}

export const loading = {
  title: 'Loading…',
  text: 'This takes longer than usual. Check your internet connection.',
  failed: 'The page could not be loaded',
  failedText: 'The server may be updating. Reload the page in a moment.',
}

export const notFound = {
  title: 'Page not found',
  text: 'Open the link from your invitation. If you typed the address, check it.',
}

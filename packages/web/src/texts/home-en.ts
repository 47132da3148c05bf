import { invite, newPassword, settings } from './en/account.ts'
import { calls } from './en/calls.ts'
import { contacts } from './en/contacts.ts'
import { conversations } from './en/conversations.ts'
import { home } from './en/home.ts'
import { identity } from './en/identity.ts'
import { meetings } from './en/meetings.ts'
import { push } from './en/push.ts'
import { recordings } from './en/recordings.ts'

/** Texts of what only signed-in users see: they load with its code, so that the pages of links stay small. */
export const homeEn = {
  calls,
  contacts,
  conversations,
  home,
  identity,
  invite,
  meetings,
  newPassword,
  recordings,
  settings,
  push,
}

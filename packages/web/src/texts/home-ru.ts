import type { HomeTexts } from './catalogue.ts'
import { invite, newPassword, settings } from './ru/account.ts'
import { calls } from './ru/calls.ts'
import { contacts } from './ru/contacts.ts'
import { conversations } from './ru/conversations.ts'
import { home } from './ru/home.ts'
import { identity } from './ru/identity.ts'
import { meetings } from './ru/meetings.ts'
import { push } from './ru/push.ts'
import { recordings } from './ru/recordings.ts'

export const homeRu: HomeTexts = {
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

import { containsText } from '@lectern/common'
import type { Contact } from '@lectern/protocol/control/client'

interface Options {
  /** The accounts of people who are left out. */
  without: ReadonlySet<string>
  /** Part of a name or login; empty: everybody. */
  search: string
  locale: string
}

/** The contacts whom the user may call, in the order of their names. */
export function callableContacts(
  contacts: readonly Contact[],
  { without, search, locale }: Options,
): readonly Contact[] {
  const { compare } = new Intl.Collator(locale)
  return contacts
    .filter(each => each.state === 'contact' && !without.has(each.user_id))
    .filter(({ display_name, login }) => containsText([display_name, login], search))
    .sort((a, b) => compare(a.display_name || a.login, b.display_name || b.login))
}

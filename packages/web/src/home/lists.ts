import type { AccountConnection } from '../account-connection/account-connection.ts'
import { useConnection } from '../account-connection/use-connection.ts'
import type { Account } from '../identity/account.ts'
import { useSite } from '../site/use-site.ts'
import { CallHistory } from './calls/call-history.ts'
import { Conferences } from './meetings/conferences.ts'
import { Recordings } from './recordings/recordings.ts'

/** Lists of several pages, kept while somebody is signed in: a page that is shown again is as it was left. */
interface Lists {
  conferences: Conferences
  recordings: Recordings
  calls: CallHistory
}

const all = new WeakMap<AccountConnection, Lists>()

function listsOf(connection: AccountConnection, account: Account): Lists {
  const lists = all.get(connection) ?? {
    conferences: new Conferences(account),
    recordings: new Recordings(account),
    calls: new CallHistory(connection),
  }
  all.set(connection, lists)
  return lists
}

export const useLists = (): Lists => listsOf(useConnection(), useSite().account)

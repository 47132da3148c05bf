import type { AccountEventName, AccountState, EventBody } from '@lectern/protocol/control/client'

/** The state of the signed-in account as its stream tells it. */
export type AccountView = AccountState

/** An event of a name that this client does not know changes nothing. */
export function reduceAccount(state: AccountView, event: { name: string; body: unknown }): AccountView {
  if (!Object.hasOwn(cases, event.name)) return state
  // TypeScript cannot see that the name and the body come from the same event.
  const apply = cases[event.name as AccountEventName] as Case<unknown>
  return apply(state, event.body)
}

type Case<Body> = (state: AccountView, body: Body) => AccountView

/** What every event does to the state. An event without a case does not compile. */
const cases: { [N in AccountEventName]: Case<EventBody<N>> } = {
  'account.changed': (state, { display_name }) => ({ ...state, display_name }),
  // For whoever waits, who asks for entry again: nothing to remember.
  'lobby.status': state => state,
  // For workers, who ask for the job itself: nothing to remember.
  'job.available': state => state,
  'job.stopping': state => state,
}

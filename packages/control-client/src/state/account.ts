import type { AccountEventName, AccountState, EventBody } from '@lectern/protocol/control/client'

/** The state of the signed-in account, reduced from its stream. */
export type AccountView = AccountState

/** Ignores events with an unknown name. */
export function reduceAccount(state: AccountView, event: { name: string; body: unknown }): AccountView {
  if (!Object.hasOwn(cases, event.name)) return state
  // TypeScript cannot see that the name and the body come from the same event.
  const apply = cases[event.name as AccountEventName] as Case<unknown>
  return apply(state, event.body)
}

type Case<Body> = (state: AccountView, body: Body) => AccountView

/** The reducer of every event. An event without a case does not compile. */
const cases: { [N in AccountEventName]: Case<EventBody<N>> } = {
  'account.changed': (state, { display_name }) => ({ ...state, display_name }),
  // A waiting client requests to join again; the state does not change.
  'lobby.status': state => state,
  // Workers lease the job themselves; the state does not change.
  'job.available': state => state,
  'job.stopping': state => state,
}

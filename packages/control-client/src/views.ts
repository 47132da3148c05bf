import {
  type AccountState,
  accountStream,
  type ControlEvent,
  type JsonObject,
  type SessionState,
  sessionStream,
} from '@lectern/protocol/control/client'
import { Observable, type Readable } from './observable.ts'
import { type AccountView, reduceAccount } from './state/account.ts'
import { beginSession, reduceSession, type SessionView } from './state/session.ts'

/** The state of one stream for views; null until it has come, and when the stream is gone. */
class View<Snapshot, State> {
  readonly state = new Observable<State | null>(null)
  #begin: (snapshot: Snapshot) => State
  #reduce: (state: State, event: ControlEvent) => State

  constructor(begin: (snapshot: Snapshot) => State, reduce: (state: State, event: ControlEvent) => State) {
    this.#begin = begin
    this.#reduce = reduce
  }

  /** The server's word is taken for it: a snapshot has the shape of its stream. */
  replace(snapshot: JsonObject): void {
    this.state.set(this.#begin(snapshot as Snapshot))
  }

  apply(event: ControlEvent): void {
    const state = this.state.get()
    if (state !== null) this.state.set(this.#reduce(state, event))
  }

  clear(): void {
    this.state.set(null)
  }
}

const accountView = () => new View((state: AccountState): AccountView => state, reduceAccount)
const sessionView = () => new View((state: SessionState) => beginSession(state), reduceSession)

/** What each stream adds up to, by stream. A stream of another kind has events only. */
export class Views {
  #accounts = new Map<string, ReturnType<typeof accountView>>()
  #sessions = new Map<string, ReturnType<typeof sessionView>>()

  account = (userId: string): Readable<AccountView | null> =>
    getOrMake(this.#accounts, accountStream(userId), accountView).state

  session = (id: string): Readable<SessionView | null> =>
    getOrMake(this.#sessions, sessionStream(id), sessionView).state

  replace = (streamId: string, state: JsonObject) => this.#view(streamId)?.replace(state)
  apply = (event: ControlEvent) => this.#view(event.stream_id)?.apply(event)
  clear = (streamId: string) => this.#view(streamId)?.clear()

  #view(streamId: string) {
    if (streamId.startsWith(accountStream(''))) return getOrMake(this.#accounts, streamId, accountView)
    if (streamId.startsWith(sessionStream(''))) return getOrMake(this.#sessions, streamId, sessionView)
    return null
  }
}

function getOrMake<V>(map: Map<string, V>, key: string, make: () => V): V {
  const value = map.get(key) ?? make()
  map.set(key, value)
  return value
}

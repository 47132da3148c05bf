import { type Readable, WritableObservable } from '@lectern/common'
import {
  type AccountState,
  accountStream,
  type ControlEvent,
  type JsonObject,
  type SessionState,
  sessionStream,
} from '@lectern/protocol/control/client'
import { type AccountView, reduceAccount } from './state/account.ts'
import { createSessionView, reduceSession, type SessionView } from './state/session.ts'

/** The observable state of one stream; null before its first snapshot and after its removal. */
class View<Snapshot, State> {
  readonly state = new WritableObservable<State | null>(null)
  #create: (snapshot: Snapshot) => State
  #reduce: (state: State, event: ControlEvent) => State

  constructor(create: (snapshot: Snapshot) => State, reduce: (state: State, event: ControlEvent) => State) {
    this.#create = create
    this.#reduce = reduce
  }

  /** The shape of the snapshot is not validated: the server is trusted. */
  replace(snapshot: JsonObject): void {
    this.state.set(this.#create(snapshot as Snapshot))
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
const sessionView = () => new View((state: SessionState) => createSessionView(state), reduceSession)

/** The views by stream id. A stream of an unknown kind has events but no view. */
export class Views {
  #accounts = new Map<string, ReturnType<typeof accountView>>()
  #sessions = new Map<string, ReturnType<typeof sessionView>>()

  account = (userId: string): Readable<AccountView | null> =>
    getOrCreate(this.#accounts, accountStream(userId), accountView).state

  session = (id: string): Readable<SessionView | null> =>
    getOrCreate(this.#sessions, sessionStream(id), sessionView).state

  replace = (streamId: string, state: JsonObject) => this.#view(streamId)?.replace(state)
  apply = (event: ControlEvent) => this.#view(event.stream_id)?.apply(event)
  clear = (streamId: string) => this.#view(streamId)?.clear()

  #view(streamId: string) {
    if (streamId.startsWith(accountStream(''))) return getOrCreate(this.#accounts, streamId, accountView)
    if (streamId.startsWith(sessionStream(''))) return getOrCreate(this.#sessions, streamId, sessionView)
    return null
  }
}

function getOrCreate<V>(map: Map<string, V>, key: string, create: () => V): V {
  const value = map.get(key) ?? create()
  map.set(key, value)
  return value
}

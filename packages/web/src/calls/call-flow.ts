import { Observable } from '@lectern/common'
import type { CallInfo } from '@lectern/protocol/control/client'
import type { AccountConnection } from '../account-connection/account-connection.ts'
import { homePath } from '../address.ts'
import type { RoomEnd } from '../site/current-room.ts'
import type { Site } from '../site/site.ts'
import type { CallActions } from './call-actions.ts'
import { isRingingFor } from './facts.ts'

type FlowSite = Pick<Site, 'replace' | 'room' | 'startedCalls'>
type Connection = Pick<AccountConnection, 'get' | 'subscribe' | 'userId'>

/**
 * Follows the calls of the account on this page: which of them ring, when a started one was answered, and what to do
 * after one. The value: the calls that ring for the user, the oldest first.
 */
export class CallFlow extends Observable<readonly CallInfo[]> {
  readonly #connection: Connection
  readonly #site: FlowSite
  readonly #actions: Pick<CallActions, 'enter' | 'hangUp'>
  /** The ids of known calls by the tags of their conferences. */
  readonly #callIds = new Map<string, string>()
  readonly #stop: (() => void)[]

  constructor(connection: Connection, site: FlowSite, actions: Pick<CallActions, 'enter' | 'hangUp'>) {
    super([])
    this.#connection = connection
    this.#site = site
    this.#actions = actions
    this.#stop = [
      connection.subscribe(() => this.#update()),
      site.room.subscribe(() => this.#update()),
      site.room.onEnd(room => this.#onRoomEnd(room)),
    ]
    this.#update()
  }

  close(): void {
    for (const stop of this.#stop) stop()
  }

  #update(): void {
    const { userId } = this.#connection
    const calls = this.#connection.get().view?.calls ?? []
    const tag = this.#site.room.get()?.tag
    for (const { conference_tag, call_id } of calls) this.#callIds.set(conference_tag, call_id)
    // Being in the conference answers its call.
    const ringing = calls.filter(call => isRingingFor(call, userId) && call.conference_tag !== tag)
    if (ids(ringing) !== ids(this.get())) this.set(ringing.reverse())
    const answered = calls.find(call => call.state === 'active' && this.#site.startedCalls.has(call.call_id))
    if (answered) void this.#enter(answered)
  }

  async #enter(call: CallInfo): Promise<void> {
    if (await this.#site.startedCalls.claim(call.call_id)) this.#actions.enter(call, call.video)
  }

  /** The page of the call shows how it went. */
  #onRoomEnd({ tag, isOwnChoice, isPageKept }: { tag: string } & RoomEnd): void {
    const callId = this.#callIds.get(tag)
    if (callId === undefined) return
    if (isOwnChoice) void this.#actions.hangUp(callId)
    if (isPageKept) this.#site.replace(homePath('calls', callId))
  }
}

const ids = (calls: readonly CallInfo[]) =>
  calls
    .map(({ call_id }) => call_id)
    .sort()
    .join()

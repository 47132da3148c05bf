import type { AccountState } from '@lectern/protocol/control'
import type { AccountEvent, AccountStateSource, StaleKey } from '../../control/streams/account-state.ts'
import type { Calls } from './calls.ts'
import { presentCall } from './present.ts'

/** Reads the number of missed calls; the other keys are call ids. */
const MISSED = 'missed'

/** The calls in the state of accounts: those that have not ended, and how many were missed (rule CALL-14). */
export class CallAccountSource implements AccountStateSource {
  readonly #calls: Pick<Calls, 'find' | 'stateOf' | 'countMissed'>

  constructor(calls: Pick<Calls, 'find' | 'stateOf' | 'countMissed'>) {
    this.#calls = calls
  }

  async load({ id, kind }: { id: number; kind: string }): Promise<Partial<AccountState>> {
    if (kind !== 'ordinary') return {}
    const { calls, missed } = await this.#calls.stateOf(id)
    return { calls: calls.map(presentCall), missed_calls: missed }
  }

  keysOf({ calls = [] }: Partial<AccountState>): string[] {
    return [...calls.map(each => each.call_id), MISSED]
  }

  async refresh(
    keys: readonly string[],
    state: AccountState,
  ): Promise<{ key: string; event: AccountEvent }[]> {
    const found = await Promise.all(
      keys.map(async key => {
        const event = await (key === MISSED ? this.#missed(state) : this.#call(key, state))
        return event ? [{ key, event }] : []
      }),
    )
    return found.flat()
  }

  staleAfter(event: AccountEvent): StaleKey | null {
    if (event.name === 'call.changed') return { key: event.body.call.call_id, isUrgent: false }
    return event.name === 'call.unseen' ? { key: MISSED, isUrgent: false } : null
  }

  async #missed({ user_id, missed_calls }: AccountState): Promise<AccountEvent | null> {
    const missed = await this.#calls.countMissed(Number(user_id))
    return missed === missed_calls ? null : { name: 'call.unseen', body: { missed_calls: missed } }
  }

  async #call(callId: string, { calls }: AccountState): Promise<AccountEvent | null> {
    const stored = await this.#calls.find(Number(callId))
    const known = calls.find(each => each.call_id === callId)
    if (!stored || stored.revision === known?.revision) return null
    return stored.state.is === 'ended' && !known
      ? null
      : { name: 'call.changed', body: { call: presentCall(stored) } }
  }
}

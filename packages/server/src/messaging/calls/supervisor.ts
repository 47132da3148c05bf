import { tryEach } from '@lectern/common'
import { Refusal } from '@lectern/protocol'
import type { Logger } from 'pino'
import { type Call, userIdsOf } from './call-state.ts'
import { changeCall } from './changes.ts'
import type { CallParts } from './dependencies.ts'
import { type CallFacts, dueEvents, NOTHING_SEEN, type Observation, observe } from './observation.ts'

interface CallSupervisorOptions extends CallParts {
  /** Changes when an account may have been deleted. */
  accessVersion: () => number | Promise<number>
  log: Pick<Logger, 'error'>
}

/** A session on another server that does not answer delays its own call. */
const CHECKED_AT_ONCE = 20

/**
 * Compares the open calls with the state of conferences and connections, and changes them accordingly. What it needs
 * to know is in the store, so that a restart loses nothing but started grace times. With several servers, each call is
 * checked by one of them: the one that runs its session, else the one where it was made.
 */
export class CallSupervisor {
  readonly #parts: CallSupervisorOptions
  #observations = new Map<number, Observation>()
  /** Null: the accounts have to be checked. */
  #checkedVersion: number | null = null
  /** Calls whose last check has failed: a failure that lasts is logged once, not every second. */
  readonly #failing = new Set<number>()

  constructor(parts: CallSupervisorOptions) {
    this.#parts = parts
  }

  /** MUST be called about every second. One failure does not keep other calls from their changes. */
  async tick(): Promise<void> {
    const calls = await this.#parts.supervision.take()
    const deleted = await this.#findDeleted(calls)
    const live = await this.#parts.sessions.listLive(calls.map(({ tag }) => tag))
    const observations = new Map<number, Observation>()
    const check = async (call: Call) => {
      observations.set(call.id, await this.#check(call, live.has(call.tag), deleted))
    }
    await tryEach(calls, check, { atOnce: CHECKED_AT_ONCE })
    this.#observations = observations
    for (const id of this.#failing) if (!observations.has(id)) this.#failing.delete(id)
  }

  async #check(call: Call, isLive: boolean, deleted: ReadonlySet<number>): Promise<Observation> {
    const { clock, log, sessions, supervision } = this.#parts
    const before = this.#observations.get(call.id) ?? NOTHING_SEEN
    try {
      const place = isLive ? await sessions.locate(call.tag) : { is: 'none' as const }
      if (place.is === 'remote') await supervision.handOver(call.id, place.serverId)
      if (place.is === 'remote' || place.is === 'unknown') return before
      const facts = await this.#factsOf(call, place.is === 'local', deleted)
      const now = observe(before, facts, clock())
      let current = call
      for (const event of dueEvents(call, { before, now, facts }, clock()))
        current = await changeCall(this.#parts, current, event)
      this.#failing.delete(call.id)
      return now
    } catch (error) {
      // A refusal: somebody else has changed the call meanwhile; the next check sees it as it is.
      if (!(error instanceof Refusal) && !this.#failing.has(call.id)) {
        this.#failing.add(call.id)
        log.error({ err: error, call: call.id }, 'a call could not be checked: retried every second')
      }
      return before
    }
  }

  async #factsOf({ tag, inviter }: Call, isLive: boolean, deleted: ReadonlySet<number>): Promise<CallFacts> {
    const { sessions, presence } = this.#parts
    return {
      isInviterOffline: presence.isOffline(inviter.userId),
      isLive,
      inside: isLive ? await sessions.userIdsInside(tag) : new Set(),
      deleted,
    }
  }

  /** Reads accounts only when they may have changed. One that cannot be read counts as present until then. */
  async #findDeleted(calls: Call[]): Promise<ReadonlySet<number>> {
    const version = await this.#parts.accessVersion()
    if (version === this.#checkedVersion || calls.length === 0) return new Set()
    const ids = [...new Set(calls.flatMap(userIdsOf))]
    const results = await Promise.allSettled(ids.map(id => this.#parts.users.find(id)))
    const failures = results.filter(result => result.status === 'rejected')
    for (const { reason } of failures)
      this.#parts.log.error({ err: reason }, 'an account could not be read: it counts as existing in calls')
    // If all have failed, the store has: they are read again.
    if (failures.length < ids.length) this.#checkedVersion = version
    const isDeleted = (result: (typeof results)[number] | undefined) =>
      result?.status === 'fulfilled' && result.value?.deletedAt !== null
    return new Set(ids.filter((_, i) => isDeleted(results[i])))
  }
}

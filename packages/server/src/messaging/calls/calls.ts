import { ensure, Refusal } from '@lectern/protocol'
import { CALL_LIST_MAX, MISSED_CALLS_MAX, OPEN_CALLS_MAX } from '@lectern/protocol/control'
import type { User } from '../../accounts/ports.ts'
import { type Call, isInvolved, personOf, ringingIdsOf } from './call-state.ts'
import { assertRevision, changeCall } from './changes.ts'
import type { CallParts } from './dependencies.ts'
import { type CallInvitation, invite, listCallable } from './invite.ts'
import { CALL_PAGE_BYTES, HISTORY_DAYS, HISTORY_PER_INVITER, SWEEP_BATCH } from './limits.ts'
import type { CallPage } from './ports.ts'
import { presentCall } from './present.ts'

const DAY_MS = 86_400_000

/** How a command names a call: by its id, or by its conference for the newest open one there. */
export type CallRef = { id: number } | { tag: string }

/**
 * Actions of people on calls. All methods throw a Refusal for what is not possible (any more), and for a call that has
 * not the expected revision (rule K6).
 */
export class Calls {
  readonly #parts: CallParts

  constructor(parts: CallParts) {
    this.#parts = parts
  }

  invite(inviter: User, invitation: CallInvitation): Promise<Call> {
    return invite(this.#parts, inviter, invitation)
  }

  /** Answers the call on one device: `answerId` identifies its command (rule CALL-7). */
  async accept(userId: number, ref: CallRef, answerId: string, expectedRevision?: string): Promise<Call> {
    const call = await this.#findAsInvited(userId, ref)
    return changeCall(this.#parts, call, { is: 'accept', userId, answerId }, expectedRevision)
  }

  async decline(userId: number, ref: CallRef, expectedRevision?: string): Promise<Call> {
    const call = await this.#findAsInvited(userId, ref)
    const isBusy = this.#parts.sessions.isInAnotherConference(userId, call.tag)
    return changeCall(this.#parts, call, { is: 'decline', userId, isBusy }, expectedRevision)
  }

  /** Cancels the call, by its inviter. People who have met are not affected (rule CALL-9). */
  async cancel(userId: number, ref: CallRef, expectedRevision?: string): Promise<Call> {
    const call = await this.#find(userId, ref)
    ensure(call.inviter.userId === userId, 'call_not_found')
    const isInside = (await this.#parts.sessions.userIdsInside(call.tag)).has(userId)
    return changeCall(this.#parts, call, { is: 'cancel', isInside }, expectedRevision)
  }

  /** Ends the call at once when nobody or one person remains in it (rule CALL-12). */
  async leave(userId: number, ref: CallRef, expectedRevision?: string): Promise<Call> {
    const call = await this.#find(userId, ref)
    const left = await changeCall(this.#parts, call, { is: 'leave', userId }, expectedRevision)
    if (left.state.is !== 'active' || !left.ownsConference || ringingIdsOf(left).length > 0) return left
    const accepted = left.people.filter(each => each.state.is === 'accepted').map(each => each.userId)
    const remaining = new Set([...(await this.#parts.sessions.userIdsInside(left.tag)), ...accepted])
    remaining.delete(userId)
    return remaining.size < 2 ? changeCall(this.#parts, left, { is: 'complete' }) : left
  }

  async get(userId: number, ref: CallRef, expectedRevision?: string): Promise<Call> {
    const call = await this.#find(userId, ref)
    assertRevision(call, expectedRevision)
    return call
  }

  /** Newest first; limited in number and in bytes. */
  async list(userId: number, before: number | null, limit = CALL_LIST_MAX): Promise<CallPage> {
    const { calls, hasMore } = await this.#parts.store.list(userId, before, limit)
    let bytes = 0
    const end = calls.findIndex((call, i) => {
      bytes += Buffer.byteLength(JSON.stringify(presentCall(call)))
      return i > 0 && bytes > CALL_PAGE_BYTES
    })
    return end < 0 ? { calls, hasMore } : { calls: calls.slice(0, end), hasMore: true }
  }

  /** Missed calls up to this one count no more. The number of those after it. */
  async setSeen(userId: number, callId: number): Promise<number> {
    const { store, notifier } = this.#parts
    const call = await store.find(callId)
    ensure(call && isInvolved(call, userId), 'call_not_found')
    await store.setSeen(userId, callId)
    const missed = await this.countMissed(userId)
    notifier.missed(userId, missed)
    return missed
  }

  /** A call of any account. */
  find(id: number): Promise<Call | null> {
    return this.#parts.store.find(id)
  }

  /** Missed calls that the account has not seen. */
  countMissed(userId: number): Promise<number> {
    return this.#parts.store.countMissed(userId, MISSED_CALLS_MAX)
  }

  /** The calls in the state of an account. */
  async stateOf(userId: number): Promise<{ calls: Call[]; missed: number }> {
    const { store } = this.#parts
    const [calls, missed] = await Promise.all([
      store.listOpenOf(userId, OPEN_CALLS_MAX),
      this.countMissed(userId),
    ])
    return { calls, missed }
  }

  /** MUST be called when two accounts may have lost the right to call each other: ringing stops then (rule CALL-13). */
  async onRelationChanged(userId: number, otherId: number): Promise<void> {
    const { store } = this.#parts
    for (const call of await store.listOpenOf(userId, OPEN_CALLS_MAX)) {
      const inviterId = call.inviter.userId
      const invitedId = inviterId === userId ? otherId : userId
      const isBetweenThem = inviterId === userId || inviterId === otherId
      if (!isBetweenThem || !ringingIdsOf(call).includes(invitedId)) continue
      if (await mayCall(this.#parts, inviterId, invitedId, call)) continue
      // A block is presented as a declined call. A person who has answered meanwhile stays.
      const event = { is: 'decline', userId: invitedId, isBusy: false } as const
      await changeCall(this.#parts, call, event).catch(ignoreRefusal)
    }
  }

  /** Removes old calls from the history. */
  async sweep(): Promise<void> {
    const { store, clock } = this.#parts
    const beforeMs = clock() - HISTORY_DAYS * DAY_MS
    const options = { beforeMs, keepPerInviter: HISTORY_PER_INVITER, limit: SWEEP_BATCH }
    while ((await store.sweep(options)) === SWEEP_BATCH);
  }

  async #findAsInvited(userId: number, ref: CallRef): Promise<Call> {
    const call = await this.#find(userId, ref)
    ensure(personOf(call, userId), 'call_not_found')
    return call
  }

  async #find(userId: number, ref: CallRef): Promise<Call> {
    const { store } = this.#parts
    const call = 'id' in ref ? await store.find(ref.id) : await store.findOpenIn(ref.tag, userId)
    ensure(call && isInvolved(call, userId), 'call_not_found')
    return call
  }
}

async function mayCall(
  { permissions }: Pick<CallParts, 'permissions'>,
  inviterId: number,
  invitedId: number,
  { tag, ownsConference }: Call,
): Promise<boolean> {
  return (await listCallable(permissions, inviterId, [invitedId], ownsConference ? null : tag)).has(invitedId)
}

function ignoreRefusal(error: unknown): void {
  if (!(error instanceof Refusal)) throw error
}

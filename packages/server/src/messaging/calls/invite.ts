import { ensure, Refusal } from '@lectern/protocol'
import { isUser } from '../../accounts/eligible.ts'
import type { User } from '../../accounts/ports.ts'
import { makeTag } from '../../platform/tag.ts'
import { type Call, createCall, personOf } from './call-state.ts'
import { changeCall } from './changes.ts'
import type { CallParts } from './dependencies.ts'
import { OPEN_CALLS_PER_ACCOUNT, TITLE_MAX } from './limits.ts'
import type { CallPermissions } from './ports.ts'

export interface CallInvitation {
  commandId: string
  userIds: number[]
  video: boolean
  /** The conference to meet in; null: a new one. */
  tag: string | null
}

/** Two invitations of each other may cross again while the first of them ends. */
const ATTEMPTS_MAX = 5

/** Rings these people (rules CALL-1 to CALL-5). Throws a Refusal. */
export async function invite(parts: CallParts, inviter: User, invitation: CallInvitation): Promise<Call> {
  const { userIds, commandId } = invitation
  ensure(isUser(inviter), 'permission_denied', 'Only users with an account make calls.')
  const retryAfterMs = parts.invitations.take(inviter.id, userIds)
  if (retryAfterMs > 0) throw new Refusal('too_many_invitations', undefined, { retryAfterMs })
  const conference = await findConference(parts, inviter.id, invitation)
  await assertCallable(parts, inviter.id, invitation)
  const people = await namesOf(parts, userIds)
  ensure((await parts.store.countOpenBy(inviter.id)) < OPEN_CALLS_PER_ACCOUNT, 'too_many_calls')
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const { is, call } = await parts.store.add(await newCall(parts, inviter, people, invitation, conference))
    if (is === 'added') {
      // The inviter of the call is connected to this server, which therefore knows best.
      await parts.supervision.claim(call.id)
      parts.notifier.changed(null, call)
    }
    if (call.inviter.userId === inviter.id || hasAnswered(call, inviter.id, commandId)) return call
    // Both have invited the other one at the same time: this invitation answers the first (rule CALL-5).
    const merged = await accept(parts, call, inviter.id, commandId)
    if (merged) return merged
  }
  throw new Refusal('temporarily_unavailable')
}

async function newCall(
  { store, sessions, clock, ringMs }: CallParts,
  inviter: User,
  people: { userId: number; displayName: string }[],
  { commandId, userIds, video, tag }: CallInvitation,
  conference: { purpose: string } | null,
) {
  const nowMs = clock()
  const busy = await store.whoHasRinging(userIds, OPEN_CALLS_PER_ACCOUNT)
  const inside = tag === null ? new Set<number>() : await sessions.userIdsInside(tag)
  const stateOf = (userId: number) =>
    inside.has(userId) ? 'accepted' : busy.includes(userId) ? 'busy' : 'ringing'
  const call = createCall({
    tag: tag ?? makeTag(),
    ownsConference: conference === null || conference.purpose === 'call',
    video,
    inviter: { userId: inviter.id, displayName: inviter.displayName },
    people: people.map(each => ({ ...each, state: stateOf(each.userId) })),
    createdAtMs: nowMs,
    ringUntilMs: nowMs + ringMs,
  })
  return { ...call, commandId, title: tag === null ? titleOf([inviter, ...people]) : null }
}

/** Whether this command has accepted the call before. */
function hasAnswered(call: Call, userId: number, commandId: string): boolean {
  const state = personOf(call, userId)?.state
  return state !== undefined && 'answerId' in state && state.answerId === commandId
}

/** Null when the call has ended meanwhile. */
async function accept(parts: CallParts, call: Call, userId: number, answerId: string): Promise<Call | null> {
  try {
    return await changeCall(parts, call, { is: 'accept', userId, answerId })
  } catch (error) {
    if (error instanceof Refusal && error.code === 'call_over') return null
    // Answered on another device meanwhile: the call is the same.
    if (error instanceof Refusal && error.code === 'answered_elsewhere') return parts.store.find(call.id)
    throw error
  }
}

/** Null without a tag. Throws for a conference of which the inviter is no member. */
async function findConference(
  { conferences, permissions, sessions }: CallParts,
  inviterId: number,
  { tag }: CallInvitation,
) {
  if (tag === null) return null
  const conference = await conferences.find(tag)
  ensure(conference && conference.purpose !== 'past_call', 'conference_not_found')
  const isMember =
    conference.ownerId === inviterId ||
    (await permissions.listMembers(tag, [inviterId])).length > 0 ||
    (await sessions.userIdsInside(tag)).has(inviterId)
  ensure(isMember, 'conference_not_found')
  return conference
}

/** One message for all reasons, so that nobody learns who has blocked them or who exists. */
async function assertCallable(
  { permissions }: CallParts,
  inviterId: number,
  { userIds, tag }: CallInvitation,
): Promise<void> {
  const callable = await listCallable(permissions, inviterId, userIds, tag)
  ensure(
    userIds.every(id => id !== inviterId && callable.has(id)),
    'not_callable',
  )
}

/** Contacts, and for a conference its members; nobody who has blocked the inviter or is blocked (rule CALL-1). */
export async function listCallable(
  permissions: CallPermissions,
  inviterId: number,
  userIds: number[],
  tag: string | null,
): Promise<ReadonlySet<number>> {
  const contacts = await permissions.listCallable(inviterId, userIds)
  if (tag === null) return new Set(contacts)
  const blocked = await permissions.listBlocked(inviterId, userIds)
  const members = await permissions.listMembers(tag, userIds)
  return new Set([...contacts, ...members.filter(id => !blocked.includes(id))])
}

async function namesOf({ users }: CallParts, userIds: number[]) {
  const found = await Promise.all(userIds.map(id => users.find(id)))
  return userIds.map((userId, i) => {
    const user = found[i]
    ensure(user && user.deletedAt === null, 'not_callable')
    return { userId, displayName: user.displayName }
  })
}

function titleOf(people: { displayName: string }[]): string {
  const title = [...people.map(each => each.displayName).join(', ')]
  return title.length <= TITLE_MAX ? title.join('') : `${title.slice(0, TITLE_MAX - 1).join('')}…`
}

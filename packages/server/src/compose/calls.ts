import type { AccountStreams } from '../control/streams/account-streams.ts'
import type { DomainEvents } from '../domain-events.ts'
import { CallAccountSource } from '../messaging/calls/account-source.ts'
import { userIdsOf } from '../messaging/calls/call-state.ts'
import { Calls } from '../messaging/calls/calls.ts'
import type { CallParts } from '../messaging/calls/dependencies.ts'
import { InvitationLimiter } from '../messaging/calls/invitation-limiter.ts'
import type { CallNotifier, CallSessions } from '../messaging/calls/ports.ts'
import { presentCall } from '../messaging/calls/present.ts'
import { CallSupervisor } from '../messaging/calls/supervisor.ts'
import { userIdsIn } from '../sessions/session.ts'
import { publishRinging } from './call-events.ts'
import type { ServerContext } from './context.ts'
import type { SessionsPart } from './sessions.ts'
import type { Stores } from './stores.ts'

export type CallsPart = ReturnType<typeof composeCalls>

/** Calls between accounts. */
export function composeCalls(
  { config, clock, log, domainEvents }: ServerContext,
  { accessVersion, calls: store, users, conferences }: Stores,
  { registry, streams, gateway }: SessionsPart,
  people: Pick<CallParts, 'permissions' | 'presence' | 'supervision'> & {
    /** Whether the account is inside a conference on another server. */
    isInCallElsewhere: (userId: number) => boolean
  },
) {
  const { Enabled, CallInvitationsPerMinute } = config.Limits
  const parts: CallParts = {
    ...people,
    store,
    users,
    conferences,
    sessions: callSessions(registry, gateway, people.isInCallElsewhere),
    notifier: callNotifier(streams.accounts, domainEvents),
    invitations: new InvitationLimiter(clock, Enabled ? CallInvitationsPerMinute : null),
    clock,
    ringMs: config.Conferences.RingSeconds * 1000,
  }
  const calls = new Calls(parts)
  domainEvents.subscribe('contacts-changed', ({ userId, otherId }) =>
    calls.onRelationChanged(userId, otherId),
  )
  streams.accounts.addSource('calls', new CallAccountSource(calls))
  return {
    calls,
    supervisor: new CallSupervisor({ ...parts, accessVersion: () => accessVersion.read(), log }),
  }
}

const callSessions = (
  registry: SessionsPart['registry'],
  gateway: Pick<SessionsPart['gateway'], 'end' | 'listInside'>,
  isInCallElsewhere: (userId: number) => boolean,
): CallSessions => ({
  locate: async tag => {
    const location = await registry.locate(tag)
    if (location.is === 'remote') return { is: 'remote', serverId: location.owner.id }
    if (location.is === 'vacant') return { is: 'unknown' }
    return { is: location.is }
  },
  listLive: tags => registry.listLive(tags),
  userIdsInside: tag => gateway.listInside(tag),
  isInAnotherConference: (userId, tag) =>
    isInCallElsewhere(userId) ||
    registry.all.some(session => session.tag !== tag && userIdsIn(session).has(userId)),
  end: tag => gateway.end(tag, 'ended'),
})

const callNotifier = (accounts: AccountStreams, domainEvents: DomainEvents): CallNotifier => ({
  changed: (before, call) => {
    const body = { call: presentCall(call) }
    for (const userId of userIdsOf(call)) accounts.publish(userId, { name: 'call.changed', body })
    publishRinging(domainEvents, before, call)
  },
  missed: (userId, count) => accounts.publish(userId, { name: 'call.unseen', body: { missed_calls: count } }),
})

import { ensure } from '@lectern/protocol'
import type { JsonObject, Target } from '@lectern/protocol/control'
import type { Call } from '../../messaging/calls/call-state.ts'
import type { CallRef, Calls } from '../../messaging/calls/calls.ts'
import { presentCall } from '../../messaging/calls/present.ts'
import type { Command, Handler, Outcome, Sender } from './command.ts'
import { ownAccount } from './own-account.ts'

/** Calls between accounts (rules CALL-1 to CALL-15). */

/** The id of the target of an invitation to a new conference. */
const NEW = 'new'

export const invite: Handler<'call.invite'> = async ({ calls }, { login }, { id, target, body }) => {
  ensure(
    target.kind === 'conference' || target.id === NEW,
    'invalid_argument',
    `The operation must be ${NEW}.`,
  )
  const call = await calls.invite(login.user, {
    commandId: id,
    userIds: body.user_ids.map(userIdOf),
    video: body.video,
    tag: target.kind === 'conference' ? target.id : null,
  })
  return outcome(call)
}

export const accept: Handler<'call.accept'> = async ({ calls }, { login }, command) =>
  outcome(await calls.accept(login.user.id, refOf(command.target), command.id, command.expectedVersion))

type Step = 'decline' | 'cancel' | 'leave' | 'get'

/** The version of a call is its revision. */
const step =
  (name: Step) =>
  async ({ calls }: { calls: Calls }, { login }: Sender, command: Command): Promise<Outcome> =>
    outcome(await calls[name](login.user.id, refOf(command.target), command.expectedVersion))

export const decline = step('decline')
export const cancel = step('cancel')
export const leave = step('leave')
export const get = step('get')

export const list: Handler<'call.list'> = async ({ calls }, sender, { target, body }) => {
  const userId = ownAccount(sender, target).id
  const before = body.before === undefined ? null : callIdOf(body.before)
  const page = await calls.list(userId, before, body.limit)
  return { data: { calls: page.calls.map(presentCall) as unknown as JsonObject[], has_more: page.hasMore } }
}

export const setSeen: Handler<'call.seen'> = async ({ calls }, sender, { target, body }) => ({
  data: { missed_calls: await calls.setSeen(ownAccount(sender, target).id, callIdOf(body.call_id)) },
})

const outcome = (call: Call): Outcome => ({
  data: { call: presentCall(call) as unknown as JsonObject },
  aggregate: { kind: 'operation', id: String(call.id) },
  version: String(call.revision),
})

const refOf = ({ kind, id }: Target): CallRef => (kind === 'conference' ? { tag: id } : { id: callIdOf(id) })

function callIdOf(id: string): number {
  const value = Number(id)
  ensure(Number.isSafeInteger(value) && String(value) === id, 'call_not_found')
  return value
}

/** Unknown users are refused like those who are not contacts. */
function userIdOf(id: string): number {
  const value = Number(id)
  ensure(Number.isSafeInteger(value) && String(value) === id, 'not_callable')
  return value
}

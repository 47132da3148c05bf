import { ensure } from '@lectern/protocol'
import type { Kysely } from 'kysely'
import type { MainSchema } from '../../platform/db/schema.ts'
import type { Call, NewCall } from '../calls/ports.ts'
import { type CallRow, findOrThrow, peopleOf, personColumns, stateColumns } from './call-rows.ts'
import { rememberMissedCall } from './missed-call-mails.ts'
import { rememberCallForPush } from './push-call-outbox.ts'

type Db = Kysely<MainSchema>

/** Effects of calls beyond their own rows: whether a pair rings already, and the conference that ends with its last call. */
export const locksOf = ({ tag, inviter, people }: Pick<Call, 'tag' | 'inviter' | 'people'>): string[] => [
  `calls in ${tag}`,
  ...[inviter, ...people].map(({ userId }) => `calls of ${userId}`),
]

export interface CallWriteOptions {
  /** Remembers with each change of whom a call rings for that people may have to be notified. */
  isForPush: boolean
  /** Stores the mails of those who have missed a call with its end. */
  isForMail: boolean
}

/** Stores a new call, in a transaction with its locks. Implements `CallStore.add`. */
export async function addCall(
  db: Db,
  call: NewCall,
  { isForPush }: CallWriteOptions,
): Promise<{ is: 'added' | 'existing'; call: Call }> {
  const existing = (id: number) =>
    findOrThrow(db, id).then(found => ({ is: 'existing' as const, call: found }))
  const accepted = await db
    .selectFrom('call_people')
    .select('call_id')
    .where('user_id', '=', call.inviter.userId)
    .where('answer_id', '=', call.commandId)
    .executeTakeFirst()
  if (accepted) return existing(accepted.call_id)
  ensure(call.title !== null || !(await isPast(db, call.tag)), 'conference_not_found')
  const row = {
    tag: call.tag,
    owns_conference: Number(call.ownsConference),
    video: Number(call.video),
    inviter_id: call.inviter.userId,
    inviter_name: call.inviter.displayName,
    command_id: call.commandId,
    pair: pairOf(call),
    created_at_ms: call.createdAtMs,
    ring_until_ms: call.ringUntilMs,
    revision: 1,
    ...stateColumns(call.state),
  }
  const inserted = await db
    .insertInto('calls')
    .values(row)
    .onConflict(conflict => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!inserted) return existing(await conflictingId(db, row))
  const people = call.people.map(({ userId, displayName, state }, position) => ({
    call_id: inserted.id,
    user_id: userId,
    position,
    display_name: displayName,
    ...personColumns(state),
  }))
  await db.insertInto('call_people').values(people).execute()
  const isRinging = call.people.some(({ state }) => state.is === 'ringing')
  if (isForPush && isRinging) await rememberCallForPush(db, inserted.id, row.revision)
  if (call.title !== null) {
    const conference = {
      tag: call.tag,
      title: call.title,
      owner_id: call.inviter.userId,
      created_at_ms: call.createdAtMs,
    }
    const purpose = call.state.is === 'ended' ? 'past_call' : 'call'
    await db
      .insertInto('conferences')
      .values({ ...conference, entry: 'open', removed: 0, purpose })
      .execute()
  }
  return { is: 'added', call: await findOrThrow(db, inserted.id) }
}

/** Whether the last call of the conference has ended, for which it was made. */
async function isPast(db: Db, tag: string): Promise<boolean> {
  const row = await db.selectFrom('conferences').select('purpose').where('tag', '=', tag).executeTakeFirst()
  return row?.purpose === 'past_call'
}

/** The call with the same command, else the one that rings between the same two people. */
async function conflictingId(
  db: Db,
  { inviter_id, command_id, pair }: Pick<CallRow, 'inviter_id' | 'command_id' | 'pair'>,
): Promise<number> {
  const byCommand = await db
    .selectFrom('calls')
    .select('id')
    .where('inviter_id', '=', inviter_id)
    .where('command_id', '=', command_id)
    .executeTakeFirst()
  if (byCommand) return byCommand.id
  const { id } = await db
    .selectFrom('calls')
    .select('id')
    .where('pair', '=', pair)
    .where('state', '=', 'ringing')
    .executeTakeFirstOrThrow()
  return id
}

/** Stores a change, in a transaction with its locks. Implements `CallStore.save`. */
export async function saveCall(
  db: Db,
  call: Call,
  { isForPush, isForMail }: CallWriteOptions,
): Promise<Call | null> {
  const revision = call.revision + 1
  const updated = await db
    .updateTable('calls')
    .set({ ...stateColumns(call.state), revision })
    .where('id', '=', call.id)
    .where('revision', '=', call.revision)
    .returning('id')
    .executeTakeFirst()
  if (!updated) return null
  const before = await peopleOf(db, [call.id])
  let isSilenced = false
  for (const { userId, state } of call.people) {
    const columns = personColumns(state)
    const row = before.find(each => each.user_id === userId)
    if (row?.state === columns.state && row.answer_id === columns.answer_id) continue
    isSilenced ||= row?.state === 'ringing'
    await db
      .updateTable('call_people')
      .set(columns)
      .where('call_id', '=', call.id)
      .where('user_id', '=', userId)
      .execute()
  }
  if (isForPush && isSilenced) await rememberCallForPush(db, call.id, revision)
  if (isForMail) await rememberMissedCall(db, call)
  if (call.state.is === 'ended') await closeConference(db, call.tag)
  return { ...call, revision }
}

/** Closes the conference if it was made for calls, and no other call uses it. */
const closeConference = (db: Db, tag: string) =>
  db
    .updateTable('conferences')
    .set({ purpose: 'past_call' })
    .where('tag', '=', tag)
    .where('purpose', '=', 'call')
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('calls').select('id').where('tag', '=', tag).where('state', '<>', 'ended'))),
    )
    .execute()

function pairOf({ title, inviter, people }: NewCall): string | null {
  const [person] = people
  if (title === null || people.length > 1 || !person) return null
  return [inviter.userId, person.userId].sort((a, b) => a - b).join('-')
}

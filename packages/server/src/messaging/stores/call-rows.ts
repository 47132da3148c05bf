import type { CallEndReason } from '@lectern/protocol/control'
import type { Kysely, Selectable } from 'kysely'
import type { MainSchema } from '../../platform/db/schema.ts'
import type { CallPeopleTable, CallsTable } from '../../platform/db/tables/calls.ts'
import type { Call, CallState, PersonState } from '../calls/ports.ts'

/** Calls as rows: loading them with their people, and the columns of states. */

export type CallRow = Selectable<CallsTable>
type PersonRow = Selectable<CallPeopleTable>
type Db = Kysely<MainSchema>

export async function findOrThrow(db: Db, id: number): Promise<Call> {
  return loadOne(db, await db.selectFrom('calls').selectAll().where('id', '=', id).executeTakeFirstOrThrow())
}

export async function loadOne(db: Db, row: CallRow): Promise<Call> {
  return toCall(row, await peopleOf(db, [row.id]))
}

export async function load(db: Db, rows: CallRow[]): Promise<Call[]> {
  if (rows.length === 0) return []
  const ids = rows.map(row => row.id)
  const people = await peopleOf(db, ids)
  const byCall = new Map<number, PersonRow[]>(ids.map(id => [id, []]))
  for (const person of people) byCall.get(person.call_id)?.push(person)
  return rows.map(row => toCall(row, byCall.get(row.id) ?? []))
}

export const peopleOf = (db: Db, callIds: number[]): Promise<PersonRow[]> =>
  db.selectFrom('call_people').selectAll().where('call_id', 'in', callIds).orderBy('position').execute()

const toCall = (row: CallRow, people: PersonRow[]): Call => ({
  id: row.id,
  tag: row.tag,
  ownsConference: row.owns_conference === 1,
  video: row.video === 1,
  inviter: { userId: row.inviter_id, displayName: row.inviter_name },
  people: people.map(person => ({
    userId: person.user_id,
    displayName: person.display_name,
    state: toPersonState(person),
  })),
  state: toState(row),
  createdAtMs: row.created_at_ms,
  ringUntilMs: row.ring_until_ms,
  revision: row.revision,
})

function toState({ state, reason, answered_at_ms, ended_at_ms }: CallRow): CallState {
  if (state === 'ringing') return { is: 'ringing' }
  if (state === 'active') return { is: 'active', answeredAtMs: answered_at_ms ?? 0 }
  return {
    is: 'ended',
    reason: reason as CallEndReason,
    answeredAtMs: answered_at_ms,
    endedAtMs: ended_at_ms ?? 0,
  }
}

export const stateColumns = (state: CallState) => ({
  state: state.is,
  reason: state.is === 'ended' ? state.reason : null,
  answered_at_ms: state.is === 'ringing' ? null : state.answeredAtMs,
  ended_at_ms: state.is === 'ended' ? state.endedAtMs : null,
})

const toPersonState = ({ state, answer_id }: PersonRow): PersonState =>
  state === 'accepted' || state === 'left'
    ? { is: state, answerId: answer_id }
    : { is: state as 'ringing' | 'declined' | 'busy' | 'missed' }

export const personColumns = (state: PersonState) => ({
  state: state.is,
  answer_id: 'answerId' in state ? state.answerId : null,
})

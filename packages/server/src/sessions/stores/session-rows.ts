import { type ChatMode, type ConferenceRole, conferenceChat } from '@lectern/protocol/control'
import { type ExpressionBuilder, type Selectable, sql } from 'kysely'
import type { ConferenceSessionsTable, MainSchema } from '../../platform/db/schema.ts'
import type {
  EndReason,
  Moderation,
  RaisedHand,
  Removed,
  SessionLease,
  StoredSession,
  StoredState,
} from '../ports.ts'

type Row = Selectable<ConferenceSessionsTable> & { is_ordinary: unknown }

/** The owner of all sessions of an installation with one server, which has no lease. */
export const LOCAL_OWNER = 'local'

/** Rows of removed conferences remain, so that this never changes. Conferences made for calls have no conversation. */
export const isOrdinary = sql`EXISTS (
  SELECT 1 FROM conferences c WHERE c.tag = conference_sessions.tag AND c.purpose = 'meeting'
)`.as('is_ordinary')

export const nextIncarnation = sql<number>`conference_sessions.incarnation + 1`

export const toSession = (row: Row): StoredSession => ({
  sessionId: row.id,
  tag: row.tag,
  startedAtMs: row.started_at_ms,
  incarnation: row.incarnation,
  chatId: row.is_ordinary ? conferenceChat(row.tag) : `session:${row.id}`,
  ...toState(row),
  hands: JSON.parse(row.hands) as RaisedHand[],
  ended: row.ended_at_ms === null ? null : { atMs: row.ended_at_ms, reason: row.end_reason as EndReason },
})

type StateRow = Pick<
  Selectable<ConferenceSessionsTable>,
  'locked' | 'chat_mode' | 'moderation' | 'removed' | 'members'
>

export const toState = (row: StateRow): StoredState => ({
  locked: row.locked === 1,
  chatMode: row.chat_mode as ChatMode,
  moderation: { ...INITIAL_STATE.moderation, ...(JSON.parse(row.moderation) as Partial<Moderation>) },
  removed: JSON.parse(row.removed) as Removed[],
  ...toMembers(JSON.parse(row.members) as StoredMember[]),
})

/** With the role, if the member came by a link that names nobody. */
type StoredMember = number | [userId: number, role: ConferenceRole]

const toMembers = (stored: StoredMember[]): Pick<StoredState, 'members' | 'sharedLinks'> => ({
  members: stored.map(each => (typeof each === 'number' ? each : each[0])),
  sharedLinks: stored.filter(each => typeof each !== 'number'),
})

function toStoredMembers({
  members,
  sharedLinks,
}: Pick<StoredState, 'members' | 'sharedLinks'>): StoredMember[] {
  const roles = new Map(sharedLinks)
  return members.map(id => {
    const role = roles.get(id)
    return role ? [id, role] : id
  })
}

export const toColumns = (state: StoredState) => ({
  locked: state.locked ? 1 : 0,
  chat_mode: state.chatMode,
  moderation: JSON.stringify(state.moderation),
  removed: JSON.stringify(state.removed),
  members: JSON.stringify(toStoredMembers(state)),
})

const INITIAL_STATE: StoredState = {
  locked: false,
  chatMode: 'open',
  moderation: {
    permissions: { microphone: true, camera: true, screen: true },
    exceptions: [],
    spotlight: null,
  },
  removed: [],
  members: [],
  sharedLinks: [],
}

export const newRow = (tag: string, started_at_ms: number, owner: string) => ({
  tag,
  started_at_ms,
  incarnation: 1,
  hands: '[]',
  owner,
  ...toColumns(INITIAL_STATE),
})

/** The row of the session, if it is still that incarnation of that owner. */
export const isHeldBy =
  ({ sessionId, incarnation, owner }: SessionLease) =>
  (eb: ExpressionBuilder<MainSchema, 'conference_sessions'>) =>
    eb.and({ id: sessionId, incarnation, owner })

/** The rows of all these sessions that are still that incarnation of that owner. */
export const areHeldBy = (leases: readonly SessionLease[]) => {
  const held = leases.map(
    ({ sessionId, incarnation, owner }) => sql`(${sql.lit(sessionId)}, ${sql.lit(incarnation)}, ${owner})`,
  )
  return sql<boolean>`(id, incarnation, owner) IN (VALUES ${sql.join(held)})`
}

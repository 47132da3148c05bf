import { type ChatMode, conferenceChat } from '@lectern/protocol/control'
import { type Kysely, type Selectable, sql } from 'kysely'
import type {
  EndReason,
  RaisedHand,
  Removed,
  SessionStore,
  StoredSession,
  StoredState,
} from '../sessions/ports.ts'
import { prepared } from './prepared.ts'
import type { ConferenceSessionsTable, MainSchema } from './schema.ts'

type Row = Selectable<ConferenceSessionsTable> & { is_ordinary: unknown }

/** Rows of removed conferences remain, so that this never changes. Conferences made for calls have no conversation. */
const isOrdinary = sql`EXISTS (
  SELECT 1 FROM conferences c WHERE c.tag = conference_sessions.tag AND c.purpose = 'meeting'
)`.as('is_ordinary')

const toSession = (row: Row): StoredSession => ({
  sessionId: row.id,
  tag: row.tag,
  startedAtMs: row.started_at_ms,
  incarnation: row.life,
  chatId: row.is_ordinary ? conferenceChat(row.tag) : `session:${row.id}`,
  ...toState(row),
  hands: JSON.parse(row.hands) as RaisedHand[],
  ended: row.ended_at_ms === null ? null : { atMs: row.ended_at_ms, reason: row.end_reason as EndReason },
})

type StateRow = Pick<Selectable<ConferenceSessionsTable>, 'locked' | 'chat_mode' | 'removed' | 'members'>

const toState = (row: StateRow): StoredState => ({
  locked: row.locked === 1,
  chatMode: row.chat_mode as ChatMode,
  removed: JSON.parse(row.removed) as Removed[],
  members: JSON.parse(row.members) as number[],
})

const toColumns = (state: StoredState) => ({
  locked: state.locked ? 1 : 0,
  chat_mode: state.chatMode,
  removed: JSON.stringify(state.removed),
  members: JSON.stringify(state.members),
})

const INITIAL_STATE: StoredState = { locked: false, chatMode: 'open', removed: [], members: [] }
const nextIncarnation = sql<number>`conference_sessions.life + 1`

export function sessionStore(db: Kysely<MainSchema>): SessionStore {
  const selectOpen = prepared(db, (tag: string) =>
    db
      .selectFrom('conference_sessions')
      .select(['locked', 'chat_mode', 'removed', 'members'])
      .where('tag', '=', tag)
      .where('ended_at_ms', 'is', null),
  )
  return {
    findOrOpen: async (tag, atMs) =>
      toSession(
        await db
          .insertInto('conference_sessions')
          .values({ tag, started_at_ms: atMs, life: 1, hands: '[]', ...toColumns(INITIAL_STATE) })
          .onConflict(conflict =>
            conflict.column('tag').where('ended_at_ms', 'is', null).doUpdateSet({ life: nextIncarnation }),
          )
          .returningAll()
          .returning(isOrdinary)
          .executeTakeFirstOrThrow(),
      ),
    resumeOpen: async () => {
      const rows = await db
        .updateTable('conference_sessions')
        .set({ life: nextIncarnation })
        .where('ended_at_ms', 'is', null)
        .returningAll()
        .returning(isOrdinary)
        .execute()
      return rows.map(toSession).sort((a, b) => a.sessionId - b.sessionId)
    },
    save: async (sessionId, state) => {
      await db
        .updateTable('conference_sessions')
        .set(toColumns(state))
        .where('id', '=', sessionId)
        .where('ended_at_ms', 'is', null)
        .execute()
    },
    saveHands: async (sessionId, hands) => {
      await db
        .updateTable('conference_sessions')
        .set({ hands: JSON.stringify(hands) })
        .where('id', '=', sessionId)
        .where('ended_at_ms', 'is', null)
        .execute()
    },
    end: async (sessionId, atMs, reason) => {
      await db
        .updateTable('conference_sessions')
        .set({ ended_at_ms: atMs, end_reason: reason })
        .where('id', '=', sessionId)
        .where('ended_at_ms', 'is', null)
        .execute()
    },
    find: async sessionId => {
      const row = await db
        .selectFrom('conference_sessions')
        .selectAll()
        .select(isOrdinary)
        .where('id', '=', sessionId)
        .executeTakeFirst()
      return row ? toSession(row) : null
    },
    findOpen: async tag => {
      const [row] = await selectOpen(tag)
      return row ? toState(row) : null
    },
    lastEnd: async tag => {
      const row = await db
        .selectFrom('conference_sessions')
        .select('end_reason')
        .where('tag', '=', tag)
        .where('ended_at_ms', 'is not', null)
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst()
      return (row?.end_reason ?? null) as EndReason | null
    },
  }
}

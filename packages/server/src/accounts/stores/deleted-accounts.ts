import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { MainSchema } from '../../platform/db/schema.ts'

type Db = Kysely<MainSchema>

const NOBODY = {
  display_name: '',
  password_hash: null,
  capabilities: '[]',
  language: null,
  email: null,
  missed_call_mails: 0,
}

/**
 * The login of a deleted account: it stays reserved, and can only be found by guessing it. No other login has a colon.
 */
export const reservedLogin = (login: string): string =>
  `deleted:${createHash('sha256').update(login).digest('hex').slice(0, 32)}`

/** Whether an account that was deleted had the login. */
export async function isReserved(db: Db, login: string): Promise<boolean> {
  const query = db.selectFrom('users').select('id').where('login', '=', reservedLogin(login))
  return (await query.executeTakeFirst()) !== undefined
}

/**
 * Removes what describes the person of a deleted account, and what only it used. The row and its sign-ins stay, because
 * whoever still has a token or a link must get `account_deleted`, and so does what is in the possession of others:
 * messages without the name, the log of administration, recordings and transcripts.
 */
export async function anonymizeAccount(db: Db, { id, login }: { id: number; login: string }): Promise<void> {
  await db
    .updateTable('users')
    .set({
      login: login.startsWith('deleted:') ? login : reservedLogin(login),
      ...NOBODY,
    })
    .where('id', '=', id)
    .execute()
  await removeTraces(db, [id])
}

/**
 * Closes the meetings of a deleted account, or of all, because nobody moderates them any more (decision 231). Their conversations
 * stay with their members.
 */
export async function closeMeetings(db: Db, ownerId?: number): Promise<void> {
  const deleted = db
    .selectFrom('users')
    .select('id')
    .where('kind', '=', 'ordinary')
    .where('deleted_at', 'is not', null)
  await db
    .updateTable('conferences')
    .set({ entry: 'closed' })
    .where('purpose', '=', 'meeting')
    .where('entry', '!=', 'closed')
    .where('owner_id', 'in', ownerId === undefined ? deleted : [ownerId])
    .execute()
}

/**
 * Deletes guests who have neither been in a session nor used their sign-in since `beforeMs`, as `anonymizeAccount` does,
 * and what guests without a row have left: their rows went with their last sign-in. Returns the number of people, at
 * most twice `limit`.
 */
export async function anonymizeGuests(
  db: Db,
  { beforeMs, limit, at }: { beforeMs: number; limit: number; at: number },
): Promise<number> {
  const idle = await listIdleGuests(db, beforeMs, limit)
  for (const { id, login } of idle)
    await db
      .updateTable('users')
      .set({ login: reservedLogin(login), ...NOBODY, deleted_at: at })
      .where('id', '=', id)
      .execute()
  const ids = [...idle.map(({ id }) => id), ...(await listFormerGuests(db, beforeMs, limit))]
  if (ids.length > 0) await removeTraces(db, ids)
  // Nobody can be readmitted to a session that has ended.
  await db
    .updateTable('conference_sessions')
    .set({ removed: '[]' })
    .where('ended_at_ms', '<', beforeMs)
    .where('removed', '!=', '[]')
    .execute()
  return ids.length
}

function listIdleGuests(db: Db, beforeMs: number, limit: number) {
  const before = Math.floor(beforeMs / 1000)
  return db
    .selectFrom('users')
    .select(['id', 'login'])
    .where('kind', '=', 'guest')
    .where('deleted_at', 'is', null)
    .where('created_at', '<', before)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('auth_sessions')
            .select('auth_sessions.id')
            .whereRef('auth_sessions.user_id', '=', 'users.id')
            .where(
              ({ fn, ref }) => fn.coalesce(ref('used_at'), ref('auth_sessions.created_at')),
              '>=',
              before,
            ),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          // `members` is stored for every session, participants only where media outlives the server.
          selectFrom('conference_sessions')
            .select('conference_sessions.id')
            .where('ended_at_ms', 'is', null)
            .where(sql<boolean>`replace(replace(members, '[', ','), ']', ',') LIKE '%,' || users.id || ',%'`),
        ),
      ),
    )
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Ids are never used again, and only guests lose their rows. */
async function listFormerGuests(db: Db, beforeMs: number, limit: number): Promise<number[]> {
  const { rows } = await sql<{ user_id: number }>`
    ${formerIn('chat_messages', 'sent_at_ms', beforeMs)}
    UNION ${formerIn('partner_attendance', 'joined_at_ms', beforeMs)}
    UNION ${formerIn('conference_files', 'created_at_ms', beforeMs)}
    LIMIT ${limit}`.execute(db)
  return rows.map(({ user_id }) => user_id)
}

/**
 * The accounts without a row that a table names in rows from before that time. The index leads from one account to the next:
 * there may be millions of rows.
 */
const formerIn = (
  name: 'chat_messages' | 'partner_attendance' | 'conference_files',
  time: string,
  beforeMs: number,
) => {
  const table = sql.table(name)
  return sql`
    SELECT id AS user_id FROM (
      WITH RECURSIVE named (id) AS (
        SELECT min(user_id) FROM ${table}
        UNION ALL SELECT (SELECT min(user_id) FROM ${table} WHERE user_id > named.id) FROM named WHERE named.id IS NOT NULL
      )
      SELECT id FROM named WHERE id IS NOT NULL
    ) AS people
    WHERE id NOT IN (SELECT id FROM users) AND EXISTS (
      SELECT 1 FROM ${table} WHERE user_id = people.id AND ${sql.ref(time)} < ${beforeMs} AND display_name <> '')`
}

/** The row of the account aside. */
async function removeTraces(db: Db, ids: number[]): Promise<void> {
  await db
    .updateTable('auth_sessions')
    .set({ network: null, browser: null, platform: null, last_request: null })
    .where('user_id', 'in', ids)
    .execute()
  await deleteOwn(db, ids)
  // The sweep of files removes them and what they consist of.
  await db
    .updateTable('conference_files')
    .set({ state: 'removing', name: '', display_name: '' })
    .where('user_id', 'in', ids)
    .execute()
  await db.updateTable('chat_messages').set({ file: null }).where('user_id', 'in', ids).execute()
  await removeNames(db, ids)
}

async function deleteOwn(db: Db, ids: number[]): Promise<void> {
  const ofUser = [
    'invitations',
    'calendar_links',
    'mutes',
    'conversation_members',
    'conversation_invitations',
    'call_seen',
    'partner_owners',
    'missed_call_mails',
  ] as const
  for (const table of ofUser) await db.deleteFrom(table).where('user_id', 'in', ids).execute()
  const ofClient = ['push_deliveries', 'push_subscription_sign_ins', 'push_subscriptions'] as const
  for (const table of ofClient) await db.deleteFrom(table).where('client_id', 'in', ids).execute()
  await db
    .deleteFrom('contacts')
    .where(where => where.or([where('user_id', 'in', ids), where('contact_id', 'in', ids)]))
    .execute()
}

async function removeNames(db: Db, ids: number[]): Promise<void> {
  for (const table of ['chat_messages', 'call_people', 'session_participants', 'partner_attendance'] as const)
    await db.updateTable(table).set({ display_name: '' }).where('user_id', 'in', ids).execute()
  await db.updateTable('calls').set({ inviter_name: '' }).where('inviter_id', 'in', ids).execute()
  // Titles of calls are the names of their people. Those of recordings stay with their owner.
  await sql`
    UPDATE conferences SET title = tag
    WHERE purpose IN ('call', 'past_call')
      AND tag IN (
        SELECT tag FROM calls WHERE inviter_id IN (${sql.join(ids)})
        UNION SELECT c.tag FROM calls c JOIN call_people p ON p.call_id = c.id WHERE p.user_id IN (${sql.join(ids)}))
      AND NOT EXISTS (SELECT 1 FROM recordings r WHERE r.conference_tag = conferences.tag)`.execute(db)
  await db
    .updateTable('external_identities')
    .set({ label: '', given_name: '' })
    .where('user_id', 'in', ids)
    .execute()
  await db.updateTable('board_elements').set({ author_id: null }).where('author_id', 'in', ids).execute()
  await db.updateTable('board_pages').set({ owner_id: 0 }).where('owner_id', 'in', ids).execute()
  for (const id of ids)
    await sql`
    UPDATE conference_sessions SET removed = '[]'
    WHERE ended_at_ms IS NOT NULL AND removed <> '[]' AND removed LIKE ${`%"userId":${id},%`}`.execute(db)
}

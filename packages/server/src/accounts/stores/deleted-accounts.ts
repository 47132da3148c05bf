import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { MainSchema } from '../../platform/db/schema.ts'

type Db = Kysely<MainSchema>

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
      display_name: '',
      password_hash: null,
      capabilities: '[]',
      language: null,
    })
    .where('id', '=', id)
    .execute()
  await db
    .updateTable('auth_sessions')
    .set({ network: null, browser: null, platform: null, last_request: null })
    .where('user_id', '=', id)
    .execute()
  await deleteOwn(db, id)
  // The sweep of files removes them and what they consist of.
  await db
    .updateTable('conference_files')
    .set({ state: 'removing', name: '', display_name: '' })
    .where('user_id', '=', id)
    .execute()
  await db.updateTable('chat_messages').set({ file: null }).where('user_id', '=', id).execute()
  await removeNames(db, id)
}

async function deleteOwn(db: Db, id: number): Promise<void> {
  const ofUser = [
    'invitations',
    'calendar_links',
    'mutes',
    'conversation_members',
    'conversation_invitations',
    'call_seen',
  ] as const
  for (const table of ofUser) await db.deleteFrom(table).where('user_id', '=', id).execute()
  const ofClient = ['push_deliveries', 'push_subscription_sign_ins', 'push_subscriptions'] as const
  for (const table of ofClient) await db.deleteFrom(table).where('client_id', '=', id).execute()
  await db
    .deleteFrom('contacts')
    .where(where => where.or([where('user_id', '=', id), where('contact_id', '=', id)]))
    .execute()
}

async function removeNames(db: Db, id: number): Promise<void> {
  for (const table of ['chat_messages', 'call_people', 'session_participants', 'partner_attendance'] as const)
    await db.updateTable(table).set({ display_name: '' }).where('user_id', '=', id).execute()
  await db.updateTable('calls').set({ inviter_name: '' }).where('inviter_id', '=', id).execute()
  await db
    .updateTable('external_identities')
    .set({ label: '', given_name: '' })
    .where('user_id', '=', id)
    .execute()
  await db.updateTable('board_elements').set({ author_id: null }).where('author_id', '=', id).execute()
  await db.updateTable('board_pages').set({ owner_id: 0 }).where('owner_id', '=', id).execute()
  await sql`
    UPDATE conference_sessions SET removed = '[]'
    WHERE ended_at_ms IS NOT NULL AND removed LIKE ${`%"userId":${id},%`}`.execute(db)
}

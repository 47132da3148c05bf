import { type Kysely, sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { userStore } from '../../../accounts/stores/users.ts'
import type { MainSchema } from '../schema.ts'

const PERSON = 'zoe of everywhere'

/** Tables without columns that describe the person of an account, or what belongs to others, and why. */
const OTHERS: Record<string, string> = {
  audit_log: 'who did what stays provable (rule AUDIT-2)',
  blobs: 'files of others, and those of the archive',
  recordings: 'the archive of its owner',
  recording_removals: 'the archive of its owner',
  transcripts: 'the archive of its owner',
  jobs: 'work on conferences',
  job_workers: 'programs',
  document_pages: 'parts of files, removed with them',
  document_blobs: 'parts of files, removed with them',
  conferences: 'of all their members',
  conversations: 'of all their members',
  boards: 'of conferences',
  server_leases: 'servers',
  server_samples: 'servers',
  partner_people: 'whom a partner has invited, by its own ids',
  partner_outbox: 'events of partners',
  partner_events: 'events of partners',
  partner_deliveries: 'events of partners',
  partner_sequences: 'events of partners',
  partner_endpoints: 'of service accounts',
  partner_requests: 'of service accounts',
  partner_usage: 'of service accounts',
  partner_links: 'the archive of its owner',
  partner_room_deletions: 'rooms of partners',
}

/** What remains of the row of the account in other tables, and why. */
const REMAINING: Record<string, string[]> = {
  // Ids, so that whoever still signs in gets account_deleted.
  auth_sessions: ['id', 'secret_hash'],
  external_identities: ['issuer', 'subject'],
  // The conversation of the others.
  chat_messages: ['chat_id', 'command_id', 'text'],
  calls: ['tag', 'command_id', 'pair', 'state', 'reason', 'supervisor'],
  call_people: ['state', 'answer_id'],
  conference_sessions: ['tag', 'chat_mode', 'moderation', 'members', 'hands', 'end_reason', 'owner'],
  // Boards belong to conferences; authors and owners are ids, which are removed.
  board_pages: ['tag', 'page_id', 'background', 'copy_of'],
  board_elements: ['tag', 'page_id', 'element_id', 'kind', 'data', 'change'],
  session_participants: ['participant_id', 'connection_id', 'role'],
  // Until the sweep has removed the files themselves.
  conference_files: ['id', 'conference_tag', 'content_type', 'purpose', 'failure'],
  // Platforms, their rooms and launches are of technical users; deleting a room deletes its grades.
  lti_grades: ['body', 'error', 'id', 'lease', 'line_item', 'platform_id', 'status', 'tag', 'user'],
  lti_invitations: ['token_hash'],
  lti_keys: ['private_jwk'],
  lti_logins: ['binding_hash', 'claims', 'nonce', 'platform_id', 'state_hash', 'storage_target'],
  lti_platforms: ['authorization_url', 'id', 'issuer', 'jwks_url', 'lti_client_id', 'name', 'token_url'],
  lti_resources: ['line_item', 'platform_id', 'tag'],
  partner_attendance: ['participant_id', 'tag', 'role', 'reason'],
}

/** Deletes an account that has left a row in every table, and looks for it in all of them. */
export function describeDeletedAccounts(open: () => Promise<Kysely<MainSchema>>): void {
  describe('a deleted account', () => {
    it('USER-7 leaves nothing that describes its person in any table', async () => {
      const db = await open()
      const users = userStore(db)
      const user = await users.add({
        login: PERSON,
        displayName: PERSON,
        kind: 'ordinary',
        passwordHash: PERSON,
        capabilities: [],
        createdAt: 1,
      })
      const id = Number(user?.id)
      // The tables of the partner module are in another file or schema.
      const tables = (await db.introspection.getTables()).filter(
        ({ name, schema = 'lectern' }) => name !== 'users' && schema === 'lectern',
      )
      const rows = tables.map(({ name, columns }) => ({
        name,
        row: Object.fromEntries(columns.map(each => [each.name, cellOf(each, id)])),
      }))
      // Triggers add to the outbox of partners, with the next ids.
      await insertAll(
        db,
        rows.toSorted((a, b) => Number(b.name === 'partner_outbox') - Number(a.name === 'partner_outbox')),
      )
      await users.update(id, { deletedAt: 2 })

      const left: Record<string, string[]> = {}
      for (const { name } of [...tables, { name: 'users' }]) {
        if (name in OTHERS) continue
        const { rows } = await sql<Record<string, unknown>>`SELECT * FROM ${sql.table(name)}`.execute(db)
        const cells = rows.flatMap(row => Object.entries(row))
        const found = cells.filter(([, value]) => String(value).includes(PERSON)).map(([column]) => column)
        if (found.length > 0) left[name] = found.sort()
      }
      expect(left).toEqual(
        Object.fromEntries(Object.entries(REMAINING).map(([name, found]) => [name, found.toSorted()])),
      )
      const contacts = await db.selectFrom('contacts').selectAll().execute()
      expect(contacts).toEqual([])
      expect(await users.find(id)).toMatchObject({ displayName: '', passwordHash: null, deletedAt: 2 })
      expect(await users.findByLogin(PERSON)).toMatchObject({ id })
    })
  })
}

const cellOf = ({ name, dataType }: { name: string; dataType: string }, id: number) => {
  if (!/text/i.test(dataType)) return id
  return name === 'removed' ? JSON.stringify([{ userId: id, displayName: PERSON }]) : PERSON
}

interface NewRow {
  name: string
  row: Record<string, unknown>
}

/** Some of them refer to others, which come first. */
async function insertAll(db: Kysely<MainSchema>, rows: NewRow[]): Promise<void> {
  const failed: NewRow[] = []
  let failure: unknown
  for (const each of rows)
    await insert(db, each.name, each.row).catch(error => {
      failed.push(each)
      failure = error
    })
  if (failed.length === rows.length) throw failure
  if (failed.length > 0) await insertAll(db, failed)
}

async function insert(db: Kysely<MainSchema>, table: string, row: Record<string, unknown>): Promise<void> {
  const columns = sql.join(Object.keys(row).map(name => sql.ref(name)))
  const values = sql.join(Object.values(row))
  await sql`INSERT INTO ${sql.table(table)} (${columns}) VALUES (${values})`.execute(db)
}

import type { UserKind } from '@lectern/protocol'
import { type Kysely, sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { externalIdentityStore } from '../../../accounts/stores/external-identities.ts'
import { userStore } from '../../../accounts/stores/users.ts'
import { ordinaryConferenceStore } from '../../../sessions/stores/conferences.ts'
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
  ...Object.fromEntries(
    ['grades', 'invitations', 'keys', 'logins', 'platforms', 'resources'].map(name => [
      `lti_${name}`,
      'learning platforms, whose people have no account of their own',
    ]),
  ),
}

/** Columns of other tables that keep data of the account, and why. */
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
  conference_files: [
    ...['id', 'conference_tag', 'chat_id', 'command_id'],
    ...['content_type', 'purpose', 'failure'],
  ],
  partner_attendance: ['participant_id', 'tag', 'role', 'reason'],
}

type Users = ReturnType<typeof userStore>

/** Deletes accounts that have left a row in every table, and looks for them in all of them. */
export function describeDeletedAccounts(open: () => Promise<Kysely<MainSchema>>): void {
  const LONG_AGO = { beforeMs: 1_000_000, limit: 10 }
  const remove = (users: Users) => users.anonymizeGuests(LONG_AGO.beforeMs, LONG_AGO.limit, 2)
  const add = (users: Users, kind: UserKind, login = PERSON, createdAt = 1) =>
    users.add({
      login,
      displayName: login,
      kind,
      email: PERSON,
      passwordHash: PERSON,
      capabilities: [],
      createdAt,
    })

  describe('a deleted account', () => {
    it.each<{ rule: string; kind: UserKind; remove: (users: Users, id: number) => Promise<unknown> }>([
      { rule: 'USER-7', kind: 'ordinary', remove: (users, id) => users.update(id, { deletedAt: 2 }) },
      { rule: 'USER-8', kind: 'guest', remove },
    ])('$rule leaves nothing that describes its person in any table ($kind)', async ({ kind, remove }) => {
      const db = await open()
      const users = userStore(db)
      const id = Number((await add(users, kind))?.id)
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
      await remove(users, id)

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

    it('USER-7 closes its meetings, also those of accounts that earlier versions have deleted, and no others', async () => {
      const db = await open()
      const users = userStore(db)
      const conferences = ordinaryConferenceStore(db)
      const [zoe, anna, former] = await Promise.all(
        ['zoe', 'anna', 'former'].map(async login => Number((await add(users, 'ordinary', login))?.id)),
      )
      const meeting = { title: 'Weekly', createdAtMs: 1, entry: 'open', purpose: 'meeting' } as const
      for (const [tag, ownerId] of Object.entries({ a: zoe, b: anna, c: former }) as [string, number][])
        await conferences.add({ ...meeting, tag, ownerId })
      const entries = () =>
        Promise.all(['a', 'b', 'c'].map(async tag => (await conferences.find(tag))?.entry))
      await users.update(Number(zoe), { deletedAt: 2 })
      expect(await entries()).toEqual(['closed', 'open', 'open'])
      await db.updateTable('users').set({ deleted_at: 1 }).where('id', '=', Number(former)).execute()
      await users.anonymizeDeleted()
      expect(await entries()).toEqual(['closed', 'open', 'closed'])
    })

    it('USER-7 leaves no name in the titles of calls, apart from those of recordings', async () => {
      const db = await open()
      const users = userStore(db)
      const [zoe, anna] = [
        Number((await add(users, 'ordinary'))?.id),
        Number((await add(users, 'ordinary', 'anna'))?.id),
      ]
      const call = {
        ...{ video: 1, owns_conference: 1, state: 'ended', created_at_ms: 1, ring_until_ms: 2, revision: 1 },
        inviter_name: '',
      }
      const conference = { entry: 'open', created_at_ms: 1, removed: 0, purpose: 'past_call', title: PERSON }
      for (const [id, inviter, invited] of [
        [1, zoe, anna],
        [2, anna, zoe],
        [3, anna, anna],
        [4, anna, zoe],
      ] as const) {
        const tag = `c${id}`
        await insert(db, 'calls', { ...call, id, tag, inviter_id: inviter, command_id: tag })
        const person = { call_id: id, user_id: invited, position: 0, display_name: '', state: 'left' }
        await insert(db, 'call_people', person)
        await insert(db, 'conferences', { ...conference, tag, owner_id: anna })
      }
      const recording = {
        job_id: 'j',
        owner_id: anna,
        conference_tag: 'c4',
        conference_session_id: 1,
        profile: 'p',
      }
      await insert(db, 'recordings', { ...recording, ...RECORDED })
      await users.update(zoe, { deletedAt: 2 })
      const titles = await db.selectFrom('conferences').select('title').orderBy('tag').execute()
      expect(titles.map(({ title }) => title)).toEqual(['c1', 'c2', PERSON, PERSON])
    })

    it('USER-7 gets no identity at a provider that answers after the deletion', async () => {
      const db = await open()
      const [users, identities] = [userStore(db), externalIdentityStore(db)]
      const zoe = { login: 'zoe', displayName: PERSON, kind: 'ordinary', passwordHash: null } as const
      const { id: userId } = (await users.add({ ...zoe, capabilities: [], createdAt: 1 })) as { id: number }
      const known = { issuer: 'https://login.example', subject: 'zoe', label: PERSON, givenName: PERSON }
      const identity = { ...known, userId, createdAt: 1, usedAt: 1 }
      expect(await identities.link(identity)).toBe(true)
      await users.update(userId, { deletedAt: 5 })
      expect(await identities.link({ ...identity, issuer: 'https://other.example' })).toBe(false)
      await identities.update(identity, identity)
      expect(await identities.listOf(userId)).toEqual([{ ...identity, label: '', givenName: '' }])
    })

    it('USER-8 is never one of a guest who came in the meantime or is inside, or of anybody else', async () => {
      const db = await open()
      const users = userStore(db)
      const idle = Number((await add(users, 'guest', 'idle'))?.id)
      await add(users, 'guest', 'new', 1_000)
      const back = Number((await add(users, 'guest', 'back'))?.id)
      const inside = Number((await add(users, 'guest', 'inside'))?.id)
      await add(users, 'ordinary', 'anna')
      const signIn = { generation: 1, secret_hash: 'x', created_at: 1, expires_at: 9_999 }
      for (const [user_id, used_at] of [
        [idle, 999],
        [back, 1_000],
      ] as const)
        await db
          .insertInto('auth_sessions')
          .values({ ...signIn, id: `g-${user_id}`, user_id, used_at })
          .execute()
      // The id of another account contains the id of the idle guest.
      const members = JSON.stringify([Number(`${idle}0`), inside])
      await insert(db, 'conference_sessions', { id: 7, tag: 'c', started_at_ms: 1, ...OPEN_SESSION, members })
      expect(await remove(users)).toBe(1)
      expect(await remove(users)).toBe(0)
      expect((await users.list()).filter(({ deletedAt }) => deletedAt !== null)).toMatchObject([{ id: idle }])
    })

    it('USER-8 takes the names of guests whose rows went with their last sign-in', async () => {
      const db = await open()
      const users = userStore(db)
      const anna = Number((await add(users, 'ordinary', 'anna'))?.id)
      const message = { chat_id: 'c', text: 'hello', display_name: 'x' }
      for (const [user_id, sent_at_ms] of [
        [anna, 1],
        [anna + 1, 1],
        [anna + 2, 1_000_000],
      ] as const)
        await db
          .insertInto('chat_messages')
          .values({ ...message, command_id: String(user_id), user_id, sent_at_ms })
          .execute()
      expect(await remove(users)).toBe(1)
      const names = await db.selectFrom('chat_messages').select('display_name').orderBy('id').execute()
      expect(names.map(({ display_name }) => display_name)).toEqual(['x', '', 'x'])
    })
  })
}

const RECORDED = {
  ...{ status: 'completed', output_dir: '', files: '[]', artifact: '{}', indexed_at: 1 },
  ...{ started_at_ms: 1, ended_at_ms: 2, duration_ms: 1 },
}

const OPEN_SESSION = {
  ...{ incarnation: 1, locked: 0, chat_mode: 'open' },
  ...{ moderation: '{}', removed: '[]', members: '[]', hands: '[]' },
}

const cellOf = ({ name, dataType }: { name: string; dataType: string }, id: number) => {
  if (!/text/i.test(dataType)) return id
  return name === 'removed' ? JSON.stringify([{ userId: id, displayName: PERSON }]) : PERSON
}

interface NewRow {
  name: string
  row: Record<string, unknown>
}

/** Inserts all rows; a row that refers to another one is tried again after it. */
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

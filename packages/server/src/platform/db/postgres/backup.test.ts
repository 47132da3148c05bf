import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { createEmptyDatabase, type TestDatabase } from '../../../testing/database.ts'
import { resolveLink } from '../../../testing/partner.ts'
import { own, runPostgresProgram } from '../../../testing/postgres.ts'
import { startTestServer } from '../../../testing/server.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 }) // several servers on a busy machine

const ROLE = `lectern_${process.pid}`

let folder: string
let admin: string
const databases: TestDatabase[] = []
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lectern-dump-'))
  own(folder)
  const { url, drop } = await createEmptyDatabase()
  databases.push({ url, drop })
  admin = url
  await execute(`CREATE ROLE ${ROLE} LOGIN`)
})
afterAll(async () => {
  for (const each of databases.slice(1)) await each.drop()
  await execute(`DROP ROLE ${ROLE}`)
  await databases[0]?.drop()
  rmSync(folder, { recursive: true })
})

async function execute(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: admin })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}

/** An empty database as docs/postgresql.md creates it: its owner is no superuser. */
async function createOwnedDatabase(): Promise<string> {
  const database = await createEmptyDatabase()
  databases.push(database)
  const url = new URL(database.url)
  await execute(`ALTER DATABASE ${url.pathname.slice(1)} OWNER TO ${ROLE}`)
  url.username = ROLE
  return url.href
}

it('a dump of a running service by pg_dump is restored by pg_restore, over what came later and elsewhere', async () => {
  const dump = join(folder, 'lectern.dump')
  const first = await createOwnedDatabase()
  const server = await startTestServer({ Db: { Url: first } })
  const school = await server.addPartner('school')
  const room = await school.room('lesson', { teacher: { display_name: 'Anna', external_id: 'anna' } })
  // The commands of docs/backup.md.
  await runPostgresProgram('pg_dump', ['--format=custom', `--file=${dump}`, first])
  await school.room('later')
  await school.patch('lesson', { title: 'Changed' })
  await server.close()

  const second = await createOwnedDatabase()
  for (const url of [first, second]) {
    await runPostgresProgram('pg_restore', ['--clean', '--if-exists', `--dbname=${url}`, dump])
    const restored = await startTestServer({ Db: { Url: url } })
    const link = await resolveLink(restored.call, room.teacher_join_url)
    expect(link).toMatchObject({ status: 200, body: { title: 'lesson', display_name: 'Anna' } })
    const get = (path: string) => restored.call('GET', `/api/v1/integration${path}`, { token: school.token })
    expect((await get('/rooms')).body.rooms).toHaveLength(1)
    const created = await restored.call('PUT', '/api/v1/integration/rooms/next', { token: school.token })
    expect(created.body.room_id).toBeGreaterThan(room.room_id)
    await restored.close()
  }
})

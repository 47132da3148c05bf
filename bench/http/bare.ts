import { randomBytes, randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import fastify from 'fastify'

// The minimal handler of the same requests: Fastify, better-sqlite3 and the same two queries with the same durability. No
// tokens, links, validation, limits, metrics or logs. With a token it keeps the contract in these requests: it checks the
// token, and its answers have the headers, the fields and the status of Lectern's.

const [folder, token] = process.argv.slice(2) as [string, string | undefined]
mkdirSync(folder, { recursive: true })
const db = new Database(join(folder, 'bare.db'))
db.pragma('journal_mode = WAL')
db.pragma('synchronous = FULL')
// The same table as in platform/db/migrations/integration.ts, so that SQLite does the same work.
db.exec(`CREATE TABLE rooms (
  room_id INTEGER PRIMARY KEY, client_id INTEGER NOT NULL, external_id TEXT NOT NULL, tag TEXT NOT NULL UNIQUE,
  title TEXT NOT NULL, description TEXT, starts_at TEXT, ends_at TEXT, status TEXT NOT NULL,
  teacher_name TEXT NOT NULL, teacher_external_id TEXT, teacher_link_version INTEGER NOT NULL,
  teacher_link_name TEXT NOT NULL, student_name TEXT NOT NULL, student_external_id TEXT,
  student_link_version INTEGER NOT NULL, student_link_name TEXT NOT NULL,
  revision INTEGER NOT NULL, created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL,
  UNIQUE (client_id, external_id))`)
const find = db.prepare('SELECT * FROM rooms WHERE client_id = ? AND external_id = ?')
const add = db.prepare(`INSERT INTO rooms (client_id, external_id, tag, title, status, teacher_name,
  teacher_link_version, teacher_link_name, student_name, student_link_version, student_link_name, revision,
  created_at, updated_at) VALUES (1, @id, @tag, @id, 'scheduled', @teacher, 1, @teacher, @student, 1, @student, 1,
  @now, @now) ON CONFLICT (client_id, external_id) DO NOTHING RETURNING *`)

interface Row {
  [column: string]: string | number | null
}

const PUBLIC_URL = 'http://127.0.0.1:8080'
const LINK = randomBytes(46).toString('base64url')
const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/** As docs/partner-api.md#get-the-status-of-a-room says, with links of the right length. */
const present = (row: Row) => ({
  result: 200,
  room_id: row.room_id,
  external_id: row.external_id,
  tag: row.tag,
  title: row.title,
  starts_at: row.starts_at,
  ends_at: row.ends_at,
  join_url: `${PUBLIC_URL}/conferences/${row.tag}`,
  status: row.status,
  description: row.description,
  teacher_join_url: `${PUBLIC_URL}/j/${LINK}`,
  student_join_url: `${PUBLIC_URL}/j/${LINK}`,
  teacher: { display_name: row.teacher_name },
  student: { display_name: row.student_name },
})

const app = fastify({ genReqId: () => (token ? randomUUID() : '') })
if (token)
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(HEADERS).header('x-request-id', request.id)
    if (request.headers.authorization === `Bearer ${token}`) done()
    else done(Object.assign(new Error('unauthenticated'), { statusCode: 401 }))
  })
const path = '/api/v1/integration/rooms/:external_id'
app.get<{ Params: { external_id: string } }>(`${path}/status`, async (request, reply) => {
  const row = find.get(1, request.params.external_id) as Row | undefined
  if (!token) return row
  return row ? { ...present(row), stored_status: row.status, live: false } : reply.code(404).send()
})
app.put<{ Params: { external_id: string }; Body: Record<string, { display_name: string }> }>(
  path,
  async request => {
    const { external_id: id } = request.params
    const { teacher, student } = request.body
    const [tag, now] = [randomBytes(8).toString('hex'), Math.floor(Date.now() / 1000)]
    const row = { id, tag, teacher: teacher?.display_name, student: student?.display_name, now }
    const found = find.get(1, id) as Row | undefined
    const room = found ?? (add.get(row) as Row)
    return token ? { ...present(room), created: !found, differing_fields: [] } : room
  },
)

console.log(await app.listen({ host: '127.0.0.1', port: 0 }))
process.on('SIGTERM', () => process.exit(0))

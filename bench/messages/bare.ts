import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import Database from 'better-sqlite3'
import { WebSocketServer } from 'ws'

// The minimal messenger: `ws` and SQLite. Each received frame is stored durably, sent to all clients and acknowledged. No
// accounts, counters, streams or limits.

const [file] = process.argv.slice(2) as [string]
const database = new Database(file)
database.pragma('journal_mode = WAL')
database.pragma('synchronous = FULL')
database.exec(
  'CREATE TABLE messages (id INTEGER PRIMARY KEY, text TEXT NOT NULL, sent_at_ms INTEGER NOT NULL)',
)
const insert = database.prepare('INSERT INTO messages (text, sent_at_ms) VALUES (?, ?)')
const server = new WebSocketServer({
  host: '127.0.0.1',
  port: 0,
  perMessageDeflate: false,
  skipUTF8Validation: true,
})
server.on('connection', socket =>
  socket.on('message', data => {
    const { id, text } = JSON.parse(String(data)) as { id: string; text: string }
    const { lastInsertRowid } = insert.run(text, Date.now())
    const event = JSON.stringify({ message_id: Number(lastInsertRowid), text })
    for (const client of server.clients) client.send(event)
    socket.send(JSON.stringify({ id }))
  }),
)
await once(server, 'listening')
console.log(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
process.on('SIGTERM', () => process.exit(0))

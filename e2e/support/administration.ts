import { join } from 'node:path'
import Database from 'better-sqlite3'

const UNKNOWN = { durationMs: null, responseStatus: null, excerpt: null }
const ATTEMPTS = [
  {
    startedAtMs: 1_700_000_900_000,
    durationMs: 1234,
    responseStatus: 500,
    error: 'HTTP 500',
    excerpt: `Internal Server Error: *** ${'the database is away '.repeat(20)}`,
  },
  { ...UNKNOWN, startedAtMs: 1_700_000_600_000, error: 'INTERRUPTED' },
  { ...UNKNOWN, startedAtMs: 1_700_000_000_000, durationMs: 15_000, error: 'TIMEOUT' },
]

/** In the charts of the day. */
export const MOST_PEOPLE = 80

/** A day of samples, many users, and a webhook that failed. */
export function fillDatabases(dataFolder: string): void {
  const main = new Database(join(dataFolder, 'lectern.db'))
  const minute = Math.floor(Date.now() / 60_000)
  const sample = main.prepare(
    `INSERT OR REPLACE INTO server_samples (server, at_ms, sessions, participants, connections, requests,
      request_failures, jobs, cpu_percent, media_cpu_percent, memory_bytes, event_loop_delay_ms, incoming_bps,
      outgoing_bps, packet_loss_percent) VALUES ('', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const user = main.prepare(
    `INSERT INTO users (login, display_name, kind, capabilities, created_at) VALUES (?, ?, 'ordinary', '[]', 1)`,
  )
  const names = ['Ольга Иванова', 'אברהם כהן', 'Zoë Åberg', 'A very long name '.repeat(6).trim()]
  main.transaction(() => {
    for (let i = 1440; i > 0; i--) {
      if (i > 700 && i < 760) continue // the server did not run
      const people = Math.round(MOST_PEOPLE / 2 + (MOST_PEOPLE / 2) * Math.sin(i / 200))
      const counts = [people >> 3, people, people + 5, 20 + people, i % 300 === 0 ? 3 : 0, people >> 4]
      const load = [people * 0.8, people, 2.5e8 + people * 1e6, 1 + (i % 9) / 3]
      const traffic = [people * 1.5e6, people * 6e6, (i % 40) / 20]
      sample.run((minute - i) * 60_000, ...counts, ...load, ...traffic)
    }
    for (let i = 0; i < 120; i++) user.run(`person-${i}`, `${names[i % names.length]}`)
  })()
  main.close()
  const integration = new Database(join(dataFolder, 'integration.db'))
  integration
    .prepare(
      `INSERT INTO webhook_subscriptions (service_account, url, secret, events, enabled, created_at, updated_at) VALUES ('school', 'https://192.0.2.1/', ?, '[]', 1, 1, 1)`,
    )
    .run('a secret of webhooks')
  integration
    .prepare(
      `INSERT INTO webhook_deliveries (id, service_account, event, subject, body, status, attempts, response_status,
        error, created_at, updated_at, history)
        VALUES ('wh_1', 'school', 'recording.ready', 'recording:job_1', '{}', 'failed', 9, 500, 'HTTP 500', 1700000000, 1700000900, ?)`,
    )
    .run(ATTEMPTS.map(attempt => `${JSON.stringify(attempt)}\n`).join(''))
  integration.close()
}

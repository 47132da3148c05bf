import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { TestAuthority } from '../../../testing/certificates.ts'
import { own } from '../../../testing/postgres.ts'
import { openMainStore } from '../open.ts'
import { addGuest, UNAVAILABLE, usePostgres, works } from '../testing/failing-postgres.ts'

const AWAY_MS = 2_000
const POLL_MS = 500

const { makeFolder, start, startServer } = usePostgres()

/** A standby, and a database without a free connection, are in failures.endurance.test.ts. */
describe('a server whose PostgreSQL fails', () => {
  it('answers everything with 503 and Retry-After while it is down, and works when it is back', async () => {
    const postgres = await start()
    const server = await startServer(postgres.url)
    await works(server)
    await postgres.kill()
    const until = performance.now() + AWAY_MS
    while (performance.now() < until) {
      expect(await addGuest(server)).toMatchObject(UNAVAILABLE)
      expect((await server.call('GET', '/healthz')).status).toBe(200)
      expect((await server.call('GET', '/readyz')).status).toBe(503)
      await sleep(Math.min(POLL_MS, Math.max(0, until - performance.now())))
    }
    await postgres.start()
    await works(server)
  })
})

describe('TLS of PostgreSQL', () => {
  async function startWithTls(host: string) {
    const folder = makeFolder()
    const authority = new TestAuthority(folder)
    const { key, cert } = authority.issue('database', host)
    own(key, cert)
    const postgres = await start({ ssl: 'on', ssl_key_file: key, ssl_cert_file: cert })
    const other = join(folder, 'other')
    mkdirSync(other)
    return { postgres, ca: authority.cert, otherCa: new TestAuthority(other).cert }
  }
  const refusal = (url: string) =>
    openMainStore(url).then(
      async store => {
        await store.close()
        return 'it was opened'
      },
      (error: Error) => error.message,
    )

  it('accepts a server whose certificate is signed by the given authority, and no other', async () => {
    const { postgres, ca, otherCa } = await startWithTls('IP:127.0.0.1')
    for (const mode of ['require', 'verify-ca', 'verify-full']) {
      const url = `${postgres.url}?sslmode=${mode}&sslrootcert=${ca}`
      const store = await openMainStore(url)
      const { rows } = await sql`SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()`.execute(store.db)
      await store.close()
      expect([mode, rows]).toEqual([mode, [{ ssl: true }]])
      for (const wrong of [
        `${postgres.url}?sslmode=${mode}&sslrootcert=${otherCa}`,
        `${postgres.url}?sslmode=${mode}`,
      ])
        expect(await refusal(wrong), mode).toMatch(
          /^The database is not available \([^\n]*certificate[^\n]*\)\.$/,
        )
    }
  })

  it('refuses a certificate for another host, a server without TLS, and a missing file', async () => {
    const { postgres, ca } = await startWithTls('DNS:other.example')
    const tls = `sslmode=verify-full&sslrootcert=${ca}`
    expect(await refusal(`${postgres.url}?${tls}`)).toMatch(
      /^The database is not available \(.*127\.0\.0\.1.*\)\.$/,
    )
    const plain = await start()
    expect(await refusal(`${plain.url}?${tls}`)).toBe(
      'The database is not available (The server does not support SSL connections).',
    )
    expect(await refusal(`${plain.url}?sslmode=verify-full&sslrootcert=/missing/ca.pem`)).toMatch(
      /^The database is not available \(.*\/missing\/ca\.pem.*\)\.$/,
    )
  })
})

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { afterEach, describe, expect, it } from 'vitest'
import { waitFor } from '../../../cluster/testing.ts'
import { TestAuthority } from '../../../testing/certificates.ts'
import { own, type PostgresServer, startPostgres, startStandby } from '../../../testing/postgres.ts'
import { queryPostgres } from '../../../testing/query.ts'
import { startTestServer, type TestServer } from '../../../testing/server.ts'
import { startTcpProxy } from '../../../testing/tcp-proxy.ts'
import { openMainStore } from '../open.ts'

const AWAY_MS = 20_000
const POLL_MS = 500

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})
const closeLater = <T>(thing: T, close: (thing: T) => unknown): T => {
  closers.push(() => close(thing))
  return thing
}

/** One that the user of PostgreSQL may enter. */
function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-postgres-'))
  own(folder)
  return closeLater(folder, each => rmSync(each, { recursive: true, force: true }))
}

const start = async (settings: Partial<Record<string, string>> = {}): Promise<PostgresServer> =>
  closeLater(await startPostgres(join(makeFolder(), 'data'), settings), each => each.stop())

const startServer = async (Url: string): Promise<TestServer> =>
  closeLater(await startTestServer({ Server: { LogLevel: 'info' }, Db: { Url } }), each => each.close())

const addGuest = (server: TestServer) =>
  server.call('POST', '/api/v1.0/auth/guest', { body: { display_name: 'Guest' } })

const UNAVAILABLE = {
  status: 503,
  headers: expect.objectContaining({ 'retry-after': expect.stringMatching(/^[1-9]\d*$/) }),
  body: { result: 503, code: 'temporarily_unavailable', message: expect.any(String) },
}

const works = async (server: TestServer) => {
  await waitFor(async () => (await addGuest(server)).status === 200, 'a guest is stored')
  await waitFor(async () => (await server.call('GET', '/readyz')).status === 200, 'the server is ready')
  expect(server.log()).not.toContain('uncaught')
}

describe('a server whose PostgreSQL fails', () => {
  it('answers everything with 503 and Retry-After while it is down for 20 s, and works when it is back', async () => {
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

  it('refuses writes while a standby answers, and accepts them when it is promoted', async () => {
    const primary = await start()
    const standby = closeLater(await startStandby(join(makeFolder(), 'data'), primary), each => each.stop())
    let current = primary
    const proxy = closeLater(await startTcpProxy(() => Number(new URL(current.url).port)), each =>
      each.close(),
    )
    const server = await startServer(`postgres://postgres@127.0.0.1:${proxy.port}/postgres`)
    const { login, password } = await server.addUser('anna')
    const { body } = await server.call('POST', '/api/v1.0/auth/login', { body: { login, password } })
    const countOn = async ({ url }: PostgresServer) =>
      (await queryPostgres<{ count: string }>(url, 'SELECT count(*) FROM lectern.auth_sessions'))[0]?.count
    await waitFor(async () => (await countOn(standby)) === (await countOn(primary)), 'the standby has it')

    await primary.kill()
    current = standby
    const me = () => server.call('GET', '/api/v1.0/me', { token: body.access_token })
    await waitFor(async () => (await me()).status === 200, 'the standby is read')
    expect(await addGuest(server)).toMatchObject(UNAVAILABLE)
    expect((await me()).body).toMatchObject({ login: 'anna' })

    await standby.promote()
    await works(server)
    expect((await me()).status).toBe(200)
  })

  it('refuses requests that need the database while no connection is available, and serves them afterwards', async () => {
    const postgres = await start({ max_connections: '12' })
    const server = await startServer(postgres.url)
    await works(server)
    const others: pg.Client[] = []
    const takeAll = async () => {
      for (;;) {
        const client = new pg.Client({ connectionString: postgres.url })
        client.on('error', () => {})
        try {
          await client.connect()
        } catch (error) {
          expect(error).toMatchObject({ code: '53300' })
          return
        }
        others.push(client)
      }
    }
    // The connections of the server end, and others take their places, in which the server may come first.
    await waitFor(async () => {
      await takeAll()
      const ended = await others[0]?.query(
        "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = 'lectern'",
      )
      return ended?.rowCount === 0
    }, 'others have all connections')
    expect(await addGuest(server)).toMatchObject(UNAVAILABLE)
    expect((await server.call('GET', '/readyz')).status).toBe(503)
    await Promise.all(others.map(each => each.end()))
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

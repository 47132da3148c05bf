import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { waitFor } from '../../../cluster/testing.ts'
import { type PostgresServer, startStandby } from '../../../testing/postgres.ts'
import { queryPostgres } from '../../../testing/query.ts'
import { startTcpProxy } from '../../../testing/tcp-proxy.ts'
import { addGuest, UNAVAILABLE, usePostgres, works } from '../testing/failing-postgres.ts'

const { closeLater, makeFolder, start, startServer } = usePostgres()

describe('a server whose PostgreSQL fails', () => {
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

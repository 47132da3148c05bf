import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect } from 'vitest'
import { waitFor } from '../../../cluster/testing.ts'
import { own, type PostgresServer, startPostgres } from '../../../testing/postgres.ts'
import { startTestServer, type TestServer } from '../../../testing/server.ts'

/** PostgreSQL of their own for tests that stop it, and servers that use it. All are closed after each test. */
export function usePostgres() {
  const closers: (() => unknown)[] = []
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close()
  })
  const closeLater = <T>(thing: T, close: (thing: T) => unknown): T => {
    closers.push(() => close(thing))
    return thing
  }
  /** One that the user of PostgreSQL may enter. */
  const makeFolder = (): string => {
    const folder = mkdtempSync(join(tmpdir(), 'lectern-postgres-'))
    own(folder)
    return closeLater(folder, each => rmSync(each, { recursive: true, force: true }))
  }
  const start = async (settings: Partial<Record<string, string>> = {}): Promise<PostgresServer> =>
    closeLater(await startPostgres(join(makeFolder(), 'data'), settings), each => each.stop())
  const startServer = async (Url: string): Promise<TestServer> =>
    closeLater(await startTestServer({ Server: { LogLevel: 'info' }, Db: { Url } }), each => each.close())
  return { closeLater, makeFolder, start, startServer }
}

export const addGuest = (server: TestServer) =>
  server.call('POST', '/api/v1.0/auth/guest', { body: { display_name: 'Guest' } })

/** What is answered without a database. */
export const UNAVAILABLE = {
  status: 503,
  headers: expect.objectContaining({ 'retry-after': expect.stringMatching(/^[1-9]\d*$/) }),
  body: { result: 503, code: 'temporarily_unavailable', message: expect.any(String) },
}

/** Waits until the server stores again. */
export async function works(server: TestServer): Promise<void> {
  await waitFor(async () => (await addGuest(server)).status === 200, 'a guest is stored')
  await waitFor(async () => (await server.call('GET', '/readyz')).status === 200, 'the server is ready')
  expect(server.log()).not.toContain('uncaught')
}

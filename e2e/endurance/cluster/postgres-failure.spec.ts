import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type PostgresServer, queryPostgres, startPostgres } from '@lectern/server/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { useFolders } from '../../support/folders.ts'
import { useLectern } from '../../support/lectern.ts'
import { loginFrame, type RawControlSocket, useRawControl } from '../../support/raw-control.ts'
import { useSmallDisks } from '../../support/small-disk.ts'
import { waitFor } from '../../support/wait.ts'
import { type Operation, UNAVAILABLE, writingOperations } from '../../support/writing-operations.ts'

/** Longer than any time limit of the service for its database. */
const NEVER_MS = 60_000

/** For the data of PostgreSQL, which is about a third of it. */
const DISK_MIB = 192

const folder = useFolders()()
const disk = await useSmallDisks()(folder, DISK_MIB)
chmodSync(folder, 0o711) // PostgreSQL runs as a user of its own
let postgres: PostgresServer
beforeAll(async () => {
  postgres = await startPostgres(join(folder, 'data'))
})
afterAll(() => postgres.stop())
const lectern = useLectern(() => ({ SVC_DB_URL: postgres.url, SVC_LIMITS_ENABLED: '0' }))
const { prepare, perform } = writingOperations(lectern)
let operations: Operation[]
beforeAll(async () => {
  operations = await prepare()
})

/** On a connection that may write in any case. */
async function setReadOnly(value: 'on' | 'off'): Promise<void> {
  const url = `${postgres.url}?options=-c%20default_transaction_read_only%3Doff`
  await queryPostgres(url, `ALTER SYSTEM SET default_transaction_read_only = ${value}`)
  await queryPostgres(url, 'SELECT pg_reload_conf()')
}

const openControl = useRawControl()
let commands = 0
async function command(raw: RawControlSocket, name: string, params: object) {
  const id = String(++commands)
  raw.send({ id, command: name, params })
  return waitFor(() => raw.frames.find(frame => frame.id === id), `the answer to ${name}`)
}

async function post(route: 'guest' | 'login', { login, password, display_name }: Record<string, unknown>) {
  const response = await fetch(`${lectern.url}/api/v1.0/auth/${route}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ login, password, display_name }),
    signal: AbortSignal.timeout(NEVER_MS),
  })
  return {
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    body: await response.json(),
  }
}

const guest = () => post('guest', { display_name: 'Guest' })

const expectUnavailable = async () => {
  for (const operation of operations) expect(await perform(operation), operation.name).toEqual(UNAVAILABLE)
}

describe('a failing PostgreSQL', () => {
  it('causes 503 with Retry-After while it is read-only', async () => {
    await setReadOnly('on')
    await waitFor(async () => (await guest()).status === 503, 'the database is read-only')
    await expectUnavailable()
    await setReadOnly('off')
    await waitFor(async () => (await guest()).status === 200, 'the database can be written')
  })

  it('causes 503 with Retry-After while its disk is full, and works when there is space', async () => {
    disk.fill()
    let answer = await guest()
    await waitFor(async () => {
      answer = await guest()
      return answer.status !== 200
    }, 'something needs more space')
    expect(answer).toEqual(UNAVAILABLE)
    expect((await fetch(`${lectern.url}/healthz`)).status).toBe(200)
    disk.clear()
    // It may end when it cannot write its log.
    if (postgres.pid === null) await postgres.start()
    await waitFor(async () => (await guest()).status === 200, 'guests are stored')
    expect(lectern.log).not.toContain('uncaught')
  })

  it('causes 503 with Retry-After while it hangs, and no request waits forever', async () => {
    postgres.pause()
    expect(await guest()).toEqual(UNAVAILABLE)
    postgres.resume()
    await waitFor(async () => (await guest()).status === 200, 'the database answers')
  })

  it('causes refused writes after a kill -9 while sockets stay open, and works after its restart', async () => {
    const { body: account } = await post('login', await lectern.command('user', 'add', 'emil'))
    const raw = await openControl(lectern.url)
    raw.send(loginFrame(account))
    await raw.waitForFrame('login_result')
    const contact = () => command(raw, 'contact.add', { login: 'nobody' })
    const before = await contact()

    await postgres.kill()
    await expectUnavailable()
    expect(await contact()).toMatchObject({ error: { code: 'temporarily_unavailable' } })
    await delay(1_000) // everything periodic fails at least once

    await postgres.start()
    await waitFor(async () => (await guest()).status === 200, 'the database is back')
    for (const operation of operations)
      expect(await perform(operation), operation.name).toMatchObject({
        status: expect.toSatisfy(status => status >= 200 && status < 300),
      })
    expect({ ...(await contact()), id: '' }).toEqual({ ...before, id: '' })
    expect(lectern.log).not.toContain('uncaught')
  })
})

import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { exchange } from './testing/http.ts'
import { enterLink, resolveLink } from './testing/partner.ts'
import { startTestServer } from './testing/server.ts'

/** The texts of the answers, one after the other, of one connection. */
const answersIn = (text: string) => text.split(/(?=HTTP\/1\.1 \d)/)

const login = (connection: string) => {
  const body = '{"login":"anna","password":"correct horse"}'
  return [
    'POST /api/v1.0/auth/login HTTP/1.1',
    'Host: a',
    `Connection: ${connection}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n')
}

/** Resolves when a server of this process has read the head of a request. */
const nextRequest = () =>
  new Promise<void>(resolve => {
    const onRequest = () => {
      unsubscribe('http.server.request.start', onRequest)
      resolve()
    }
    subscribe('http.server.request.start', onRequest)
  })

/** Refused, or cut off when it was in the queue already. */
async function expectRefused(port: number): Promise<void> {
  const late = connect(port, '127.0.0.1')
  const outcome = await Promise.race([
    once(late, 'error').then(([error]) => error.code),
    once(late, 'connect').then(() => 'accepted'),
  ])
  late.destroy()
  expect(['ECONNREFUSED', 'ECONNRESET']).toContain(outcome)
}

/** Connections that are not closed by themselves are cut after a while, which does not come until the test has ended. */
function stopTheDeadline(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
}

describe('closing the service', () => {
  it('completes requests in progress, accepts no new ones, and may be requested twice', async () => {
    const server = await startTestServer()
    await server.addUser('anna', { password: 'correct horse' })
    const { port } = new URL(server.url)
    const arrived = nextRequest()
    const slow = exchange(server.url, login('close')) // checking a password takes a tenth of a second
    await arrived

    const closing = Promise.all([server.close(), server.close()])
    await vi.waitFor(() => expectRefused(Number(port)), { timeout: 100_000, interval: 1 })

    expect(await slow).toMatch(/^HTTP\/1\.1 200 OK.*"access_token"/s)
    await closing
    await server.close()
  })

  it('answers all requests received on one connection, and does not wait for more', async () => {
    const server = await startTestServer()
    await server.addUser('anna', { password: 'correct horse' })
    const arrived = nextRequest()
    const received = exchange(server.url, `${login('keep-alive')}GET /readyz HTTP/1.1\r\nHost: a\r\n\r\n`)
    await arrived
    stopTheDeadline()
    await server.close()
    const [first, second] = answersIn(await received)
    expect(first).toMatch(/^HTTP\/1\.1 200.*"access_token"/s)
    expect(second).toMatch(/^HTTP\/1\.1 200.*"ready"/s)
  })

  it('does not wait for idle connections', async () => {
    const server = await startTestServer()
    const idle = connect(Number(new URL(server.url).port), '127.0.0.1')
    await once(idle, 'connect')
    stopTheDeadline()
    await Promise.all([server.close(), once(idle.resume(), 'close')])
  })
})

describe('starting the service again', () => {
  it('restores the previous state', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'lectern-restart-'))
    const PublicUrl = 'https://meet.example'
    const first = await startTestServer({ Integration: { PublicUrl } }, dir)
    const school = await first.addPartner('school')
    const room = await school.room('lesson', { teacher: { external_id: 't' } })
    const person = (await enterLink(first.call, room.teacher_join_url)).body
    await first.stop()

    const second = await startTestServer({ Integration: { PublicUrl } }, dir)
    const again = await second.call('GET', '/api/v1/integration/rooms/lesson', { token: school.token })
    expect(again.body).toEqual(room)
    expect((await resolveLink(second.call, room.teacher_join_url)).status).toBe(200)
    expect((await enterLink(second.call, room.teacher_join_url)).body.user_id).toBe(person.user_id)
    expect((await second.call('GET', '/api/v1.0/me', { token: person.access_token })).status).toBe(200)
    const refresh = { body: { refresh_token: person.refresh_token } }
    expect((await second.call('POST', '/api/v1.0/auth/refresh', refresh)).status).toBe(200)
    await second.close()
    rmSync(dir, { recursive: true, force: true })
  })

  it('leaves nothing open when the start fails', async () => {
    const first = await startTestServer()
    const dir = mkdtempSync(join(tmpdir(), 'lectern-start-'))
    const { port } = new URL(first.url)
    await expect(startTestServer({ Server: { Port: port } }, dir)).rejects.toThrow(/EADDRINUSE/)
    const second = await startTestServer({}, dir)
    expect((await second.call('GET', '/readyz')).status).toBe(200)
    await second.close()
    await first.close()
  })
})

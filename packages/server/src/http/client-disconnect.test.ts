import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRoutes } from '../testing/routes.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ Server: { LogLevel: 'debug' } })
})
afterAll(() => server.close())

const linesOf = (text: string) =>
  text
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line) as { level: string; msg: string; route?: string })

describe('a client that disconnects during a request body', () => {
  it('is logged at debug level, without a stack', async () => {
    const route = '/api/v1.0/auth/login'
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    await once(socket, 'connect')
    const headers = ['Host: x', 'Content-Type: application/json', 'Content-Length: 100']
    socket.write([`POST ${route} HTTP/1.1`, ...headers, '', '{"login":'].join('\r\n'))
    socket.destroy()
    await expect.poll(() => linesOf(server.log()).some(line => line.route === route)).toBe(true)
    const lines = linesOf(server.log()).filter(line => line.route === route)
    expect(lines.map(({ level }) => level)).toEqual(['debug'])
    expect(JSON.stringify(lines)).not.toMatch(/stack| {4}at /)
  })
})

describe('a client that neither sends nor reads', () => {
  it('keeps its connection for five minutes', async () => {
    const { app, close } = await openRoutes()
    expect(app.server.timeout).toBe(300_000)
    await close()
  })
})

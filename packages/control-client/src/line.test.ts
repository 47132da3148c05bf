import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { type WebSocket as ServerSocket, WebSocket, WebSocketServer } from 'ws'
import { platformEnvironment } from './environment.ts'
import { openLine } from './line.ts'

let server: WebSocketServer
afterEach(() => {
  for (const socket of server.clients) socket.terminate()
  server.close()
})

/** A line of the `ws` package to a server on this machine, and what is reported of it. */
async function open() {
  server = new WebSocketServer({
    host: '127.0.0.1',
    port: 0,
    handleProtocols: offered => [...offered][0] ?? false,
  })
  await once(server, 'listening')
  const connected = once(server, 'connection')
  const reports: string[] = []
  const { port } = server.address() as AddressInfo
  const line = openLine(platformEnvironment(WebSocket).WebSocket, `ws://127.0.0.1:${port}/`, {
    opened: () => reports.push('opened'),
    received: text => reports.push(`received ${text}`),
    pinged: () => reports.push('pinged'),
    closed: (code, reason) => reports.push(`closed ${code} ${reason}`),
  })
  const [socket] = (await connected) as [ServerSocket]
  const told = (report: string) => expect.poll(() => reports, { interval: 5 }).toContain(report)
  await told('opened')
  return { line, reports, socket, told }
}

describe('line on ws', () => {
  it('opens with the subprotocol of control', async () => {
    const { socket } = await open()
    expect(socket.protocol).toBe('svc.control')
  })

  it('sends and receives text', async () => {
    const { line, socket, told } = await open()
    const received = once(socket, 'message')
    line.send('{"здравствуй":1}')
    const [data, isBinary] = await received
    expect([String(data), isBinary]).toEqual(['{"здравствуй":1}', false])
    socket.send('{"привет":2}')
    await told('received {"привет":2}')
  })

  it('reads a binary frame as a wrong one', async () => {
    const { socket, told } = await open()
    socket.send(Buffer.from('{}'))
    await told('received ')
  })

  it('C22 sees pings', async () => {
    const { socket, told } = await open()
    socket.ping()
    await told('pinged')
  })

  it('C20 tells the code and the reason of a close, and of a break', async () => {
    const { socket, told } = await open()
    socket.close(4403, 'link_rotated')
    await told('closed 4403 link_rotated')
    server.close()
    const second = await open()
    second.socket.terminate()
    await second.told('closed 1006 ')
  })

  it('C27 closes with the code that it is given, and reports nothing afterwards', async () => {
    const { line, reports, socket } = await open()
    const closed = once(socket, 'close')
    line.close(4000, 'back_soon')
    line.send('too late')
    const [code, reason] = await closed
    expect([code, String(reason)]).toEqual([4000, 'back_soon'])
    expect(reports).toEqual(['opened'])
  })

  it('reports a closing when nobody answers, and survives one before it is open', async () => {
    server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    server.close()
    await once(server, 'close')
    const { WebSocket: Socket } = platformEnvironment(WebSocket)
    const nothing = { opened() {}, received() {}, pinged() {}, closed() {} }
    const code = await new Promise(resolve => {
      openLine(Socket, `ws://127.0.0.1:${port}/`, { ...nothing, closed: resolve })
    })
    expect(code).toBe(1006)
    openLine(Socket, `ws://127.0.0.1:${port}/`, nothing).close(4000, 'back_soon')
  })
})

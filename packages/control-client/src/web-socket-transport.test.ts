import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { type WebSocket as ServerSocket, WebSocket, WebSocketServer } from 'ws'
import { platformEnvironment } from './environment.ts'
import { openWebSocket } from './web-socket-transport.ts'

let server: WebSocketServer
afterEach(() => {
  for (const socket of server.clients) socket.terminate()
  server.close()
})

/** Opens a transport on the `ws` package to a local server, and records its events. */
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
  const transport = openWebSocket(
    platformEnvironment(WebSocket).WebSocket,
    { url: `ws://127.0.0.1:${port}/` },
    {
      opened: () => reports.push('opened'),
      received: text => reports.push(`received ${text}`),
      pinged: () => reports.push('pinged'),
      closed: (code, reason) => reports.push(`closed ${code} ${reason}`),
    },
  )
  const [socket] = (await connected) as [ServerSocket]
  const reported = (report: string) => expect.poll(() => reports, { interval: 5 }).toContain(report)
  await reported('opened')
  return { transport, reports, socket, reported }
}

describe('WebSocketTransport on ws', () => {
  it('offers the control subprotocol', async () => {
    const { socket } = await open()
    expect(socket.protocol).toBe('svc.control')
  })

  it('sends and receives text', async () => {
    const { transport, socket, reported } = await open()
    const received = once(socket, 'message')
    transport.send('{"здравствуй":1}')
    const [data, isBinary] = await received
    expect([String(data), isBinary]).toEqual(['{"здравствуй":1}', false])
    socket.send('{"привет":2}')
    await reported('received {"привет":2}')
  })

  it('reports a binary frame as empty text, which no frame parser accepts', async () => {
    const { socket, reported } = await open()
    socket.send(Buffer.from('{}'))
    await reported('received ')
  })

  it('C22 reports pings', async () => {
    const { socket, reported } = await open()
    socket.ping()
    await reported('pinged')
  })

  it('C20 reports the code and the reason of a close, and 1006 for a broken connection', async () => {
    const { socket, reported } = await open()
    socket.close(4403, 'link_rotated')
    await reported('closed 4403 link_rotated')
    server.close()
    const second = await open()
    second.socket.terminate()
    await second.reported('closed 1006 ')
  })

  it('C27 closes with the given code and emits nothing afterwards', async () => {
    const { transport, reports, socket } = await open()
    const closed = once(socket, 'close')
    transport.close(4000, 'back_soon')
    transport.send('too late')
    const [code, reason] = await closed
    expect([code, String(reason)]).toEqual([4000, 'back_soon'])
    expect(reports).toEqual(['opened'])
  })

  it('reports 1006 when nobody listens on the port, and can be closed before it is open', async () => {
    server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    server.close()
    await once(server, 'close')
    const { WebSocket: Socket } = platformEnvironment(WebSocket)
    const noEvents = { opened() {}, received() {}, pinged() {}, closed() {} }
    const code = await new Promise(resolve => {
      openWebSocket(Socket, { url: `ws://127.0.0.1:${port}/` }, { ...noEvents, closed: resolve })
    })
    expect(code).toBe(1006)
    openWebSocket(Socket, { url: `ws://127.0.0.1:${port}/` }, noEvents).close(4000, 'back_soon')
  })
})

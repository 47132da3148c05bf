import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'

export interface DeliveredPush {
  channelId: string
  headers: Record<string, string | string[] | undefined>
  body: Buffer
}

/**
 * A push service on the loopback interface for a real Firefox: browsers connect by WebSocket and register channels, servers
 * post to the endpoints (RFC 8030). It answers 410 for channels that are not registered any more.
 */
export function usePushService() {
  const channels = new Map<string, WebSocket>()
  const delivered: DeliveredPush[] = []
  let origin = ''
  const http = createServer(async (request, response) => {
    const channelId = (request.url ?? '').slice('/push/'.length)
    const body = await buffer(request)
    const socket = channels.get(channelId)
    if (!socket) return void response.writeHead(410).end()
    delivered.push({ channelId, headers: request.headers, body })
    const notification = {
      messageType: 'notification',
      channelID: channelId,
      version: randomUUID(),
      ttl: Number(request.headers.ttl),
      data: body.toString('base64url'),
      headers: { encoding: request.headers['content-encoding'] },
    }
    socket.send(JSON.stringify(notification))
    response.writeHead(201).end()
  })
  const sockets = new WebSocketServer({ server: http })
  sockets.on('connection', socket => {
    socket.on('message', data => {
      const answer = answerTo(String(data), socket)
      if (answer) socket.send(answer)
    })
  })

  function answerTo(text: string, socket: WebSocket): string | null {
    if (text === '{}') return '{}' // a ping
    const { messageType, channelID: channelId } = JSON.parse(text)
    switch (messageType) {
      case 'hello':
        return JSON.stringify({
          messageType,
          uaid: randomUUID().replaceAll('-', ''),
          status: 200,
          use_webpush: true,
          broadcasts: {},
        })
      case 'register':
        channels.set(channelId, socket)
        return JSON.stringify({
          messageType,
          channelID: channelId,
          status: 200,
          pushEndpoint: `${origin}/push/${channelId}`,
        })
      case 'unregister':
        channels.delete(channelId)
        return JSON.stringify({ messageType, channelID: channelId, status: 200 })
      default:
        return null
    }
  }

  beforeAll(async () => {
    await new Promise<void>(done => http.listen(0, '127.0.0.1', done))
    origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  })
  afterAll(() => {
    for (const socket of sockets.clients) socket.terminate()
    http.closeAllConnections()
    http.close()
  })
  return {
    channels,
    delivered,
    /** Of the WebSocket, for browsers. */
    get url() {
      return origin.replace('http', 'ws')
    },
  }
}

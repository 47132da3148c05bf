import { createECDH, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { ControlClient } from '@lectern/control-client'
import type { Target } from '@lectern/protocol/control/client'
import ece from 'http_ece'
import { afterAll, beforeAll } from 'vitest'

export interface InboxPush {
  title: string
  body: string
  type: string
  url: string
}

/** A push service on the loopback interface, together with the devices that decrypt what it gets (RFC 8291). */
export function usePushInbox() {
  const devices = new Map<string, (body: Buffer) => void>()
  const http = createServer(async (request, response) => {
    const receive = devices.get(request.url ?? '')
    const body = await buffer(request)
    if (!receive) return void response.writeHead(410).end()
    receive(body)
    response.writeHead(201).end()
  })
  beforeAll(() => new Promise<void>(done => http.listen(0, '127.0.0.1', done)))
  afterAll(() => {
    http.closeAllConnections()
    http.close()
  })

  /** Subscribes a device of the account of the connection. Returns what it receives, oldest first. */
  return async (client: ControlClient, account: Target): Promise<InboxPush[]> => {
    const keys = createECDH('prime256v1')
    keys.generateKeys()
    const authSecret = randomBytes(16).toString('base64url')
    const path = `/push/${randomBytes(8).toString('hex')}`
    const received: InboxPush[] = []
    devices.set(path, body => {
      const clear = ece.decrypt(body, { version: 'aes128gcm', privateKey: keys, authSecret })
      received.push(JSON.parse(clear.toString()))
    })
    await client.command('push_subscription_update', account, {
      endpoint: `http://127.0.0.1:${(http.address() as AddressInfo).port}${path}`,
      p256dh: keys.getPublicKey('base64url'),
      auth: authSecret,
    })
    return received
  }
}

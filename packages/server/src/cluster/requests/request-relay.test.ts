import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, it } from 'vitest'
import { createLog } from '../../platform/log.ts'
import { noTracing } from '../../platform/tracing.ts'
import type { SessionLocation } from '../../sessions/session-registry.ts'
import { OwnerConnections } from './owner-connections.ts'
import { RELAY_HEADER, RelayHeader } from './relay-header.ts'
import { type PassedRequest, RequestRelay } from './request-relay.ts'

const closers: (() => unknown)[] = []
afterEach(() => {
  for (const close of closers.splice(0).reverse()) close()
})

const header = new RelayHeader({ keys: () => [Buffer.alloc(32, 1)], clock: Date.now })

type Handle = (request: IncomingMessage, response: ServerResponse) => void

/** A server that runs the session. */
async function openOwner(id: string, handle: Handle) {
  const received: { request: IncomingMessage; body: string }[] = []
  const server: Server = createServer(async (request, response) => {
    received.push({ request, body: await text(request) })
    handle(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const location: SessionLocation = { is: 'remote', owner: { is: 'server', id, address } }
  return { received, location, address, server }
}

const answering =
  (status: number, body = ''): Handle =>
  (_request, response) =>
    response.writeHead(status).end(body)

/** The server at which requests arrive. `locations`: one for each look-up; the last one stays. */
function openEntry(...locations: SessionLocation[]): RequestRelay {
  const relay = new RequestRelay({
    header,
    self: 'entry',
    region: 'eu',
    locate: async () => (locations.length > 1 ? locations.shift() : locations[0]) as SessionLocation,
    connections: new OwnerConnections({ ca: null, isSilent: () => false, log: createLog('silent') }),
    tracing: noTracing,
  })
  closers.push(() => relay.stop())
  return relay
}

const POST: PassedRequest = {
  method: 'POST',
  path: '/api/v1.0/conferences/tag/whip?display_name=OBS',
  headers: { authorization: 'Bearer x', 'content-type': 'application/sdp' },
  body: 'v=0 \u00e4',
  address: '203.0.113.9',
}

describe('requests that arrive at another server than the one that runs the session', () => {
  it('RELAY-11 are passed on as they are, with the address of the client, and answered as there', async () => {
    const owner = await openOwner('owner', (_request, response) =>
      response
        .writeHead(201, { location: '/whip/1', etag: '"e"', link: ['<a>', '<b>'], 'set-cookie': 'x=1' })
        .end('answer \u00e4'),
    )
    const answer = await openEntry(owner.location).pass('tag', POST)
    expect(answer).toEqual({
      status: 201,
      headers: { location: '/whip/1', etag: '"e"', link: '<a>, <b>' },
      body: 'answer \u00e4',
    })
    const [{ request, body } = { request: null, body: '' }] = owner.received
    expect(request).toMatchObject({ method: 'POST', url: POST.path, headers: POST.headers })
    expect(body).toBe(POST.body)
    expect(request?.headers.host).toBe(new URL(owner.address).host)
    expect(header.verify(String(request?.headers[RELAY_HEADER]), 'owner')).toEqual({
      address: POST.address,
      region: 'eu',
    })
  })

  it('RELAY-11 are answered here when the session runs here, or nowhere', async () => {
    const here: SessionLocation = { is: 'remote', owner: { is: 'server', id: 'entry', address: '' } }
    for (const location of [here, { is: 'none' }, { is: 'vacant' }] as const)
      expect(await openEntry(location).pass('tag', POST)).toBeNull()
  })

  it('RELAY-12 wait while the owner is dead', async () => {
    const dead = await openOwner('dead', answering(200))
    dead.server.close()
    const owner = await openOwner('owner', answering(200, 'there'))
    const moved = openEntry(dead.location, dead.location, owner.location)
    expect(await moved.pass('tag', POST)).toMatchObject({ status: 200, body: 'there' })
    expect(await openEntry(dead.location, { is: 'none' }).pass('tag', POST)).toBeNull()
  })

  it('RELAY-12 are repeated when the owner was unavailable, at the same one once', async () => {
    const full = await openOwner('full', answering(503, 'full'))
    expect(await openEntry(full.location).pass('tag', POST)).toMatchObject({ status: 503, body: 'full' })
    expect(full.received).toHaveLength(2)
    const owner = await openOwner('owner', answering(201))
    expect(await openEntry(full.location, owner.location).pass('tag', POST)).toMatchObject({ status: 201 })
    expect(full.received).toHaveLength(3)
  })

  it('RELAY-12 are not repeated once they may have had an effect', async () => {
    const dying = await openOwner('dying', request => request.socket.destroy())
    const owner = await openOwner('owner', answering(201))
    const entry = openEntry(dying.location, owner.location)
    await expect(entry.pass('tag', POST)).rejects.toMatchObject({ code: 'temporarily_unavailable' })
    expect(owner.received).toHaveLength(0)
  })

  it('RELAY-12 end when the owner is gone, or this server stops', async () => {
    const isReceived = (owner: { received: unknown[] }) => expect.poll(() => owner.received).toHaveLength(1)
    for (const end of [
      (relay: RequestRelay) => relay.closeTo('owner'),
      (relay: RequestRelay) => relay.stop(),
    ]) {
      const owner = await openOwner('owner', () => {})
      const entry = openEntry(owner.location)
      const answer = entry.pass('tag', POST)
      const refused = expect(answer).rejects.toMatchObject({ code: 'temporarily_unavailable' })
      await isReceived(owner)
      entry.closeTo('another')
      end(entry)
      await refused
    }
  })
})

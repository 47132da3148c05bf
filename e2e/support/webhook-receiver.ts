import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { verifyWebhook, type WebhookEvent } from '@lectern/partner'
import { afterAll, beforeAll } from 'vitest'
import { HANGS_AFTER_MS, waitFor } from './wait.ts'

const SECRET = 'a secret of some length'

export interface ReceivedWebhook {
  event: WebhookEvent
  headers: IncomingHttpHeaders
  atMs: number
}

/** Runs a webhook receiver for the tests of a file, which records valid deliveries. */
export function useWebhookReceiver() {
  const received: ReceivedWebhook[] = []
  const refused: unknown[] = []
  const server = createServer(async (request, response) => {
    try {
      const event = verifyWebhook({
        rawBody: await buffer(request),
        headers: request.headers,
        secret: SECRET,
      })
      received.push({ event, headers: request.headers, atMs: Date.now() })
      response.writeHead(204).end()
    } catch (error) {
      refused.push(error)
      response.writeHead(400).end()
    }
  })
  beforeAll(() => new Promise<void>(done => server.listen(0, '127.0.0.1', done)))
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })

  /** The deliveries for a room, by its tag. */
  const of = (tag: string) =>
    received.filter(({ event: { data } }) => 'room' in data && data.room.tag === tag)
  return {
    received,
    /** The errors of invalid deliveries. */
    refused,
    of,
    /** The webhook configuration for this receiver. */
    webhook: () => ({
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
      secret: SECRET,
    }),
    /** Composing a recording takes longest of all on a busy machine. */
    next: (tag: string) => waitFor(() => of(tag)[0], `a webhook of the room ${tag}`, 2 * HANGS_AFTER_MS),
  }
}

/** What a receiver got, as `verifyWebhook` takes it. */
interface RawDelivery {
  id: string
  rawBody: Buffer
  headers: IncomingHttpHeaders
}

/** Runs a receiver for the tests of a file, with configured answers. It verifies nothing. */
export function useAnsweringReceiver() {
  const received: RawDelivery[] = []
  let answer: [status: number, text: string] = [204, '']
  const server = createServer(async (request, response) => {
    const rawBody = await buffer(request)
    received.push({ id: String(request.headers['x-service-delivery']), rawBody, headers: request.headers })
    response.writeHead(answer[0]).end(answer[1])
  })
  beforeAll(() => new Promise<void>(done => server.listen(0, '127.0.0.1', done)))
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    received,
    url: () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    answer: (status: number, text = '') => {
      answer = [status, text]
    },
  }
}

import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface Received {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: string
}

/** Responds to a delivery, or never does. */
export type Answer = (response: ServerResponse, received: Received) => void

export const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  response => {
    response.writeHead(code, headers).end('thank you')
  }
export const hang: Answer = () => {}

export interface Receiver {
  url: string
  received: Received[]
  /** Handles further deliveries. */
  answer: Answer
  /** The maximum number of concurrent requests. */
  peak: number
  close(): Promise<void>
}

/** A partner's server: real HTTP on a free port. */
export async function startReceiver(answer: Answer = status(204)): Promise<Receiver> {
  let open = 0
  const server = createServer(async (request, response) => {
    receiver.peak = Math.max(receiver.peak, ++open)
    response.on('close', () => open--)
    const { method = '', url: path = '', headers } = request
    const received = { method, path, headers, body: await text(request).catch(() => '') }
    receiver.received.push(received)
    receiver.answer(response, received)
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received: [],
    answer,
    peak: 0,
    close: () =>
      new Promise(done => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
  return receiver
}

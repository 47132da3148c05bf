import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** How the server handles one request. */
export type Step = (response: ServerResponse, request: ReceivedRequest) => void

export const answer =
  (status: number, body: unknown = { result: status }, headers: Record<string, string> = {}): Step =>
  response => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }

/** Resets the connection without a response. */
export const reset: Step = response => void response.socket?.resetAndDestroy()

/** Resets the connection in the middle of the body. */
export const resetInBody: Step = response => {
  response.writeHead(200, { 'content-length': '100' })
  response.write('{"result":', () => response.socket?.resetAndDestroy())
}

/** Never responds. */
export const silence: Step = () => {}

interface ReceivedRequest {
  method: string
  /** Path and query as received. */
  url: string
  headers: IncomingHttpHeaders
  body: string
  at: number
}

const TOKEN_PATH = '/api/v1/integration/auth/token'

/**
 * A real HTTP server that plays its scripts: one for token requests, one for all others. At the end of a
 * script it answers well: with the tokens `token-1`, `token-2`, …, and with `{result: 200}`.
 */
export class ScriptedServer {
  readonly seen: ReceivedRequest[] = []
  readonly tokenRequests: ReceivedRequest[] = []
  #script: Step[] = []
  #tokenScript: Step[] = []
  #tokens = 0

  readonly #server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request
    const seen = { method, url, headers, at: Date.now(), body: await text(request).catch(() => '') }
    if (url.endsWith(TOKEN_PATH)) {
      this.tokenRequests.push(seen)
      const step = this.#tokenScript.shift() ?? this.goodToken()
      step(response, seen)
    } else {
      this.seen.push(seen)
      const step = this.#script.shift() ?? answer(200)
      step(response, seen)
    }
  })

  static async open(): Promise<ScriptedServer> {
    const server = new ScriptedServer()
    server.#server.listen(0, '127.0.0.1')
    await once(server.#server, 'listening')
    return server
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  play(...steps: Step[]): void {
    this.#script.push(...steps)
  }

  playTokens(...steps: Step[]): void {
    this.#tokenScript.push(...steps)
  }

  goodToken(expires_in = 604_800): Step {
    return (response, request) => {
      this.#tokens++
      const step = answer(200, {
        result: 200,
        access_token: `token-${this.#tokens}`,
        token_type: 'Bearer',
        expires_in,
        refresh_token: null,
      })
      step(response, request)
    }
  }

  /** The bearer tokens of the requests so far. */
  get bearers(): (string | undefined)[] {
    return this.seen.map(({ headers }) => headers.authorization?.replace(/^Bearer /, ''))
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }
}

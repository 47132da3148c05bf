import { createPublicKey, verify } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

export interface ReceivedPush {
  path: string
  headers: IncomingHttpHeaders
  body: Buffer
  /** The claims of the VAPID token, whose signature was verified. */
  claims: { aud: string; exp: number; sub: string }
}

export type PushAnswer = (response: ServerResponse, received: ReceivedPush) => void

export const status =
  (code: number, headers: Record<string, string> = {}): PushAnswer =>
  response => {
    response.writeHead(code, headers).end()
  }
export const hang: PushAnswer = () => {}
export const close: PushAnswer = response => response.destroy()

/**
 * A push service on a free port of the loopback interface (RFC 8030, RFC 8292): answers 401 to what is not signed by the
 * application server's key, and otherwise as its endpoint says.
 */
export async function startPushService(publicKey: string) {
  const received: ReceivedPush[] = []
  const answers = new Map<string, PushAnswer>()
  const server = createServer(async (request, response) => {
    const { url: path = '', headers } = request
    const body = await buffer(request).catch(() => Buffer.alloc(0))
    const claims = claimsOf(headers.authorization ?? '', publicKey)
    if (!claims || claims.aud !== origin || claims.exp * 1000 < Date.now())
      return void response.writeHead(401).end()
    const push = { path, headers, body, claims }
    received.push(push)
    ;(answers.get(path) ?? status(201))(response, push)
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    received,
    /** The address of an endpoint, which answers 201 unless `answer` says otherwise. */
    endpoint(name: string, answer: PushAnswer = status(201)): string {
      answers.set(`/push/${name}`, answer)
      return `${origin}/push/${name}`
    },
    pathsReceived: () => received.map(({ path }) => path.replace('/push/', '')),
    close: () =>
      new Promise<void>(done => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

export type TestPushService = Awaited<ReturnType<typeof startPushService>>

/** Null unless the header is one of this key, with a valid ES256 signature (RFC 7515 appendix A.3). */
function claimsOf(header: string, publicKey: string): ReceivedPush['claims'] | null {
  const [, token, key] = header.match(/^vapid t=([\w-]+\.[\w-]+\.[\w-]+), k=([\w-]+)$/) ?? []
  if (!token || key !== publicKey) return null
  const [head = '', payload = '', signature = ''] = token.split('.')
  const point = Buffer.from(publicKey, 'base64url')
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  }
  const isValid = verify(
    'sha256',
    Buffer.from(`${head}.${payload}`),
    { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  return isValid ? JSON.parse(Buffer.from(payload, 'base64url').toString()) : null
}

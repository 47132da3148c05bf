import { Agent, request } from 'node:http'
import { buffer } from 'node:stream/consumers'

export interface Request {
  method: string
  path: string
  token?: string
  body?: unknown
  /** Of a body that is no JSON. */
  type?: string
}

export interface Answer {
  status: number
  body: string
  micros: number
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 })

/** Sends requests one after the other over one connection. */
export const client =
  (url: string) =>
  ({ method, path, token, body, type = 'application/json' }: Request): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const content = body === undefined || body instanceof Buffer ? body : JSON.stringify(body)
      const headers = {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(content !== undefined && { 'content-type': type, 'content-length': Buffer.byteLength(content) }),
      }
      const startedAt = performance.now()
      const sent = request(url + path, { method, agent, headers }, response => {
        buffer(response).then(bytes => {
          const micros = (performance.now() - startedAt) * 1_000
          resolve({ status: response.statusCode ?? 0, body: bytes.toString(), micros })
        }, reject)
      })
      sent.on('error', reject).end(content)
    })

export type Send = ReturnType<typeof client>

/** Sends a request, and throws unless it succeeds. */
export async function succeed<T>(send: Send, sent: Request): Promise<T> {
  const { status, body } = await send(sent)
  if (status !== 200) throw new Error(`${sent.method} ${sent.path}: ${status} ${body}`)
  return JSON.parse(body) as T
}

import { type IncomingHttpHeaders, request } from 'node:http'
import { connect } from 'node:net'

export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  /** Parsed when it is JSON, else text. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies of every shape
  body: any
}

export interface Call {
  token?: string
  /** Sent as JSON. */
  body?: unknown
  /** Sent unchanged; with Content-Type: application/json unless the headers say otherwise. */
  raw?: string | Buffer
  headers?: Record<string, string>
}

/** Sends one request with the exact path: `..` and percent-encoding are not normalised. */
export function call(url: string, method: string, path: string, options: Call = {}): Promise<Answer> {
  const { host, hostname, port } = new URL(url)
  const payload = options.raw ?? (options.body === undefined ? undefined : JSON.stringify(options.body))
  const isChunked = options.headers?.['transfer-encoding']?.endsWith('chunked')
  const headers = {
    host,
    ...(payload !== undefined && { 'content-type': 'application/json' }),
    ...(payload !== undefined && !isChunked && { 'content-length': Buffer.byteLength(payload) }),
    ...(options.token !== undefined && { authorization: `Bearer ${options.token}` }),
    ...options.headers,
  }
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, method, path, headers, agent: false }, response => {
      const chunks: Buffer[] = []
      response.on('data', chunk => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        const isJson = text !== '' && /^application\/json\b/.test(response.headers['content-type'] ?? '')
        resolve({
          status: response.statusCode as number,
          headers: response.headers,
          body: isJson ? JSON.parse(text) : text,
        })
      })
    })
    sent.on('error', reject)
    sent.end(payload)
  })
}

/** Writes the text to a socket and returns everything received until the server closes. */
export function exchange(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(text))
    let received = ''
    socket.setEncoding('utf8').on('data', chunk => {
      received += chunk
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(received))
  })
}

/** The status, the headers and the JSON body of a raw answer. */
export function parseAnswer(text: string) {
  const [head = '', body = ''] = text.split('\r\n\r\n')
  const [status = '', ...lines] = head.split('\r\n')
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const [name = '', ...value] = line.split(': ')
    headers[name.toLowerCase()] = value.join(': ')
  }
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(status)?.[1]), headers, body: JSON.parse(body) }
}

import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A fault that replaces the answer to a request. */
export type Fault =
  | { status: number; code: string }
  /** The request is never answered. */
  | 'hang'
  /** S3 does what is asked, but its answer is lost. */
  | 'lose the answer'
  /** The connection breaks after as many bytes of the body. */
  | { breakAfter: number }
  /** The body stops after as many bytes, while the connection stays open. */
  | { stallAfter: number }

/** Stands before an S3 server and passes on its traffic, but for the faults that a test asks for. */
export class S3Proxy {
  /** The fault of a request; null: it is passed on. */
  fault: (operation: string, request: IncomingMessage) => Fault | null = () => null
  /** The range that is sent instead of the requested one; empty: the whole object. */
  rangeOf: (range: string) => string = range => range
  /** Requests that are being answered. */
  open = 0
  /** Bytes of bodies that S3 has sent. */
  bytes = 0
  readonly operations: string[] = []
  readonly #server: Server
  readonly #target: URL

  private constructor(target: string) {
    this.#target = new URL(target)
    this.#server = createServer((from, to) => this.#handle(from, to))
  }

  static async start(target: string): Promise<S3Proxy> {
    const proxy = new S3Proxy(target)
    await once(proxy.#server.listen(0, '127.0.0.1'), 'listening')
    return proxy
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }

  #handle(from: IncomingMessage, to: ServerResponse): void {
    const operation = operationOf(from)
    this.operations.push(operation)
    const fault = this.fault(operation, from)
    this.open++
    to.once('close', () => this.open--)
    if (fault === 'hang') return
    if (fault && typeof fault === 'object' && 'status' in fault) {
      from.resume()
      to.writeHead(fault.status, { 'content-type': 'application/xml' })
      return void to.end(from.method === 'HEAD' ? '' : `<Error><Code>${fault.code}</Code></Error>`)
    }
    const { hostname, port } = this.#target
    const { range } = from.headers
    if (range !== undefined) from.headers.range = this.rangeOf(range)
    const options = { hostname, port, method: from.method, path: from.url, headers: from.headers }
    const passed = request(options, answer => {
      if (fault === 'lose the answer') return void answer.resume().once('end', () => to.destroy())
      to.writeHead(answer.statusCode ?? 500, answer.headers)
      let sent = 0
      answer.on('data', (chunk: Buffer) => {
        this.bytes += chunk.length
        sent += chunk.length
        if (!fault || to.destroyed) return
        if ('stallAfter' in fault) return void (sent <= fault.stallAfter && to.write(chunk))
        if (sent <= fault.breakAfter) to.write(chunk)
        else to.write(chunk.subarray(0, chunk.length / 2), () => to.destroy())
      })
      if (!fault) answer.pipe(to)
    })
    // Swift sends the end of a body to a refused HEAD.
    passed.on('error', () => (from.method === 'HEAD' ? to.end() : to.destroy()))
    to.once('close', () => passed.destroy())
    from.pipe(passed)
  }
}

/** The name that S3 gives to the operation. */
function operationOf({ method, url = '' }: IncomingMessage): string {
  const { pathname, searchParams: query } = new URL(url, 'http://localhost')
  const isObject = pathname.split('/').length > 2
  if (query.has('uploads')) return method === 'POST' ? 'CreateMultipartUpload' : 'ListMultipartUploads'
  if (query.has('partNumber')) return 'UploadPart'
  if (query.has('uploadId'))
    return (
      { GET: 'ListParts', POST: 'CompleteMultipartUpload', DELETE: 'AbortMultipartUpload' }[method ?? ''] ??
      ''
    )
  if (!isObject) return 'ListObjectsV2'
  return (
    { GET: 'GetObject', HEAD: 'HeadObject', PUT: 'PutObject', DELETE: 'DeleteObject' }[method ?? ''] ?? ''
  )
}

import { once } from 'node:events'
import { createConnection, type Socket } from 'node:net'

const READ_BYTES = 1024 * 1024
/** The offset of the buffer in a memory page: copying to just after a page boundary is slow on AMD Zen 3 and 4. */
const OFFSET = 1024
/** The maximum size of a response head. */
const HEAD_BYTES = 8192
const HEAD_END = '\r\n\r\n'

/** The parameters of a download request. */
export interface Request {
  path: string
  token: string
  /** First and last byte; absent: the whole file. */
  range?: [number, number]
}

/**
 * A keep-alive HTTP connection for sequential downloads. Counts bytes in a reused buffer: Node's own client allocates a
 * buffer per chunk, and would be slower than the measured server.
 */
export class Downloader {
  readonly #socket: Socket
  readonly #host: string
  #head = ''
  /** Missing bytes of the body; null while the head is read. */
  #missing: number | null = null
  #size = 0
  #settle: { done: (bytes: number) => void; failed: (error: Error) => void } | null = null

  private constructor(url: URL) {
    this.#host = url.host
    const onread = {
      buffer: Buffer.alloc(OFFSET + READ_BYTES).subarray(OFFSET),
      callback: (bytes: number, buffer: Uint8Array) => this.#onData(bytes, buffer),
    }
    this.#socket = createConnection({ host: url.hostname, port: Number(url.port), onread })
    this.#socket.on('error', error => this.#settle?.failed(error))
    this.#socket.on('close', () => this.#settle?.failed(new Error('the connection was closed')))
  }

  static async open(url: string): Promise<Downloader> {
    const downloader = new Downloader(new URL(url))
    await once(downloader.#socket, 'connect')
    return downloader
  }

  /** Resolves with the length of the body at its end. */
  download({ path, token, range }: Request): Promise<number> {
    this.#head = ''
    this.#missing = null
    const lines = [`GET ${path} HTTP/1.1`, `Host: ${this.#host}`, `Authorization: Bearer ${token}`]
    if (range) lines.push(`Range: bytes=${range[0]}-${range[1]}`)
    return new Promise((done, failed) => {
      this.#settle = { done, failed }
      this.#socket.write(lines.join('\r\n') + HEAD_END)
    })
  }

  close(): void {
    this.#settle = null
    this.#socket.destroy()
  }

  #onData(bytes: number, buffer: Uint8Array): boolean {
    const body = this.#missing === null ? this.#readHead(buffer.subarray(0, bytes) as Buffer) : bytes
    if (this.#missing === null) return true
    this.#missing -= body
    if (this.#missing === 0) this.#settle?.done(this.#size)
    if (this.#missing < 0) this.#settle?.failed(new Error('more bytes than announced'))
    return true
  }

  /** Returns the number of body bytes in the chunk. */
  #readHead(chunk: Buffer): number {
    const before = this.#head.length
    this.#head += chunk.toString('latin1', 0, HEAD_BYTES)
    const end = this.#head.indexOf(HEAD_END)
    if (end < 0) return 0
    const [status, length] = [/^HTTP\/1.1 20[06] /, /content-length: (\d+)/i].map(each =>
      each.exec(this.#head),
    )
    if (!status || !length) this.#settle?.failed(new Error(this.#head.split('\r\n')[0]))
    this.#size = Number(length?.[1])
    this.#missing = this.#size
    return before + chunk.length - end - HEAD_END.length
  }
}

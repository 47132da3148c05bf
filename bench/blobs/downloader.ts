import { once } from 'node:events'
import { createConnection, type Socket } from 'node:net'

const READ_BYTES = 1024 * 1024
/** Where in a page bytes begin: copying to just after its beginning is slow on AMD's Zen 3 and 4. */
const OFFSET = 1024
/** More than the lines before a body take. */
const HEAD_BYTES = 8192
const HEAD_END = '\r\n\r\n'

/** What one connection asks for, as it stands in the first lines of a request. */
export interface Request {
  path: string
  token: string
  /** First and last byte; without it, all. */
  range?: [number, number]
}

/**
 * One HTTP connection that is kept, for one download after another. The bytes are counted and overwritten by the
 * next ones: Node's own client makes a buffer of every piece, and would be slower than what is measured.
 */
export class Downloader {
  readonly #socket: Socket
  readonly #host: string
  #head = ''
  /** Of the body; null while the head is read. */
  #missing: number | null = null
  #size = 0
  #settle: { done: (bytes: number) => void; failed: (error: Error) => void } | null = null

  private constructor(url: URL) {
    this.#host = url.host
    const onread = {
      buffer: Buffer.alloc(OFFSET + READ_BYTES).subarray(OFFSET),
      callback: (bytes: number, buffer: Uint8Array) => this.#took(bytes, buffer),
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

  /** Resolves with the length of the body when it has come to its end. */
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

  #took(bytes: number, buffer: Uint8Array): boolean {
    const body = this.#missing === null ? this.#readHead(buffer.subarray(0, bytes) as Buffer) : bytes
    if (this.#missing === null) return true
    this.#missing -= body
    if (this.#missing === 0) this.#settle?.done(this.#size)
    if (this.#missing < 0) this.#settle?.failed(new Error('more bytes than announced'))
    return true
  }

  /** Tells how many bytes of the piece are of the body. */
  #readHead(piece: Buffer): number {
    const before = this.#head.length
    this.#head += piece.toString('latin1', 0, HEAD_BYTES)
    const end = this.#head.indexOf(HEAD_END)
    if (end < 0) return 0
    const [status, length] = [/^HTTP\/1.1 20[06] /, /content-length: (\d+)/i].map(each =>
      each.exec(this.#head),
    )
    if (!status || !length) this.#settle?.failed(new Error(this.#head.split('\r\n')[0]))
    this.#size = Number(length?.[1])
    this.#missing = this.#size
    return before + piece.length - end - HEAD_END.length
  }
}

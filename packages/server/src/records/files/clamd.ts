import { createConnection, type NetConnectOpts, type Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'

/** The result of clamd for a file. `too-large`: it has not examined the whole file. */
export type ScanResult = { is: 'clean' } | { is: 'infected'; signature: string } | { is: 'too-large' }

/** clamd cannot be reached, does not answer in time, or answers with an error. */
export class ScannerUnavailable extends Error {
  override name = 'ScannerUnavailable'
}

/** The connection broke before an answer. */
class Interrupted extends ScannerUnavailable {}

interface ClamdOptions {
  /** The configured address; see `clamdAddress`. */
  address: NetConnectOpts
  /** For the whole exchange. */
  timeoutMs?: number
}

/** clamd gives up a file after two minutes itself (MaxScanTime). */
const TIMEOUT_MS = 150_000
/** Each loses the reason by chance only. */
const ATTEMPTS_MAX = 5
/** Answers are one short line. */
const REPLY_MAX_CHARACTERS = 1_000
/** clamd says so where AlertExceedsMax is set. */
const LIMITS_EXCEEDED = 'Heuristics.Limits.Exceeded'

/** A client of clamd, the daemon of ClamAV: one connection for each command. */
export class Clamd {
  readonly #options: ClamdOptions

  constructor(options: ClamdOptions) {
    this.#options = options
  }

  /**
   * Scans what `open` reads (INSTREAM). Throws ScannerUnavailable, or what reading throws. A connection that breaks is tried
   * again: the reason, which may be the size, is lost with it where it arrives while the next bytes are written.
   */
  async scan(open: () => Promise<AsyncIterable<Buffer>>): Promise<ScanResult> {
    for (let attempts = 1; ; attempts++)
      try {
        return resultOf(await this.#exchange(socket => sendStream(socket, open)))
      } catch (error) {
        if (!(error instanceof Interrupted) || attempts === ATTEMPTS_MAX) throw error
      }
  }

  /** Whether it answers. Throws ScannerUnavailable. */
  async ping(): Promise<void> {
    const reply = await this.#exchange(async socket => void socket.write('zPING\0'))
    if (reply !== 'PONG') throw new ScannerUnavailable(`clamd answers ${JSON.stringify(reply)}`)
  }

  async #exchange(send: (socket: Socket) => Promise<void>): Promise<string> {
    const socket = createConnection(this.#options.address)
    const timer = setTimeout(
      () => socket.destroy(new ScannerUnavailable('clamd does not answer in time')),
      this.#options.timeoutMs ?? TIMEOUT_MS,
    )
    const reply = readReply(socket)
    try {
      // clamd may answer before it has received everything.
      return await Promise.race([reply, send(socket).then(() => reply)])
    } finally {
      clearTimeout(timer)
      reply.catch(() => {})
      socket.destroy()
    }
  }
}

function readReply(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let reply = ''
    let failure: Error | null = null
    socket.setEncoding('utf8')
    socket.on('data', (text: string) => {
      reply += text
      const end = reply.indexOf('\0')
      if (end >= 0) resolve(reply.slice(0, end))
      else if (reply.length > REPLY_MAX_CHARACTERS) socket.destroy()
    })
    socket.on('error', error => {
      failure = error
    })
    socket.on('close', () => reject(unavailable(failure)))
  })
}

function unavailable(failure: Error | null): ScannerUnavailable {
  if (failure instanceof ScannerUnavailable) return failure
  const code = failure ? (failure as NodeJS.ErrnoException).code : 'it closed the connection'
  const isInterrupted = !failure || code === 'EPIPE' || code === 'ECONNRESET'
  return new (isInterrupted ? Interrupted : ScannerUnavailable)(`clamd cannot be used: ${code}`)
}

/** Each chunk follows its length; a length of 0 ends the stream. */
async function sendStream(socket: Socket, open: () => Promise<AsyncIterable<Buffer>>): Promise<void> {
  // After a failure the answer, or the end of the connection, says why.
  const write = (bytes: Buffer | string) => new Promise<void>(resolve => socket.write(bytes, () => resolve()))
  await write('zINSTREAM\0')
  for await (const chunk of await open()) {
    if (socket.destroyed) return
    if (chunk.length === 0) continue
    await write(lengthOf(chunk.length))
    await write(chunk)
    await setImmediate() // an answer that has arrived is read before a write fails
  }
  await write(lengthOf(0))
}

function lengthOf(bytes: number): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes)
  return length
}

function resultOf(reply: string): ScanResult {
  if (reply === 'stream: OK') return { is: 'clean' }
  const signature = /^stream: (.+) FOUND$/.exec(reply)?.[1]
  if (signature?.startsWith(LIMITS_EXCEEDED) || reply.startsWith('INSTREAM size limit exceeded'))
    return { is: 'too-large' }
  if (signature) return { is: 'infected', signature }
  throw new ScannerUnavailable(`clamd answers ${JSON.stringify(reply)}`)
}

import { connect, createServer, type Socket } from 'node:net'

interface Line {
  port: number
  /** Bytes that have left towards the clients. */
  received(): number
  close(): void
}

/**
 * A TCP port of loopback that passes everything on to another one, each direction after `delayMs`, and at most `bitsPerSecond`
 * of all connections together.
 */
export async function delayed(
  port: number,
  delayMs: number,
  bitsPerSecond = Number.POSITIVE_INFINITY,
): Promise<Line> {
  const sockets = new Set<Socket>()
  let received = 0
  const pass = (
    from: Socket,
    to: Socket,
    later: (bytes: number) => number,
    count: (bytes: number) => void,
  ) => {
    sockets.add(from)
    from.on('data', bytes =>
      setTimeout(() => {
        count(bytes.length)
        to.write(bytes)
      }, delayMs + later(bytes.length)),
    )
    from.on('close', () => {
      sockets.delete(from)
      setTimeout(() => to.destroy(), delayMs + later(0))
    })
    from.on('error', () => from.destroy())
  }
  const [up, down] = [queue(bitsPerSecond), queue(bitsPerSecond)]
  const server = createServer({ noDelay: true }, client => {
    const target = connect({ port, host: '127.0.0.1', noDelay: true })
    pass(client, target, up, () => {})
    pass(target, client, down, bytes => {
      received += bytes
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    port: address.port,
    received: () => received,
    close: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** The milliseconds until the last of so many further bytes has passed. */
function queue(bitsPerSecond: number): (bytes: number) => number {
  let freeAt = 0
  return bytes => {
    const now = performance.now()
    freeAt = Math.max(now, freeAt) + (bytes * 8 * 1000) / bitsPerSecond
    return freeAt - now
  }
}

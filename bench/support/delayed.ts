import { connect, createServer, type Socket } from 'node:net'

/** A TCP port of loopback that passes everything on to another one, each direction after `delayMs`. */
export async function delayed(port: number, delayMs: number): Promise<{ port: number; close(): void }> {
  const sockets = new Set<Socket>()
  const pass = (from: Socket, to: Socket) => {
    sockets.add(from)
    from.on('data', bytes => setTimeout(() => to.write(bytes), delayMs))
    from.on('close', () => {
      sockets.delete(from)
      setTimeout(() => to.destroy(), delayMs)
    })
    from.on('error', () => from.destroy())
  }
  const server = createServer({ noDelay: true }, client => {
    const target = connect({ port, host: '127.0.0.1', noDelay: true })
    pass(client, target)
    pass(target, client)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    port: address.port,
    close: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface TcpProxy {
  port: number
  /** Nothing gets through any more, as behind a cable that was cut; connections stay open. */
  cut(): void
  /** New connections get through again; those that were cut are closed. */
  mend(): void
  close(): Promise<void>
}

/** Forwards connections to a port of the loopback address. */
export async function startTcpProxy(target: () => number): Promise<TcpProxy> {
  let isCut = false
  const pairs = new Set<[Socket, Socket]>()
  const server = createServer(client => {
    const upstream = connect(target(), '127.0.0.1')
    const pair: [Socket, Socket] = [client, upstream]
    pairs.add(pair)
    const end = () => {
      pairs.delete(pair)
      for (const socket of pair) socket.destroy()
    }
    const forward = (from: Socket, to: Socket) =>
      from.on('data', data => {
        if (!isCut) to.write(data)
      })
    forward(client, upstream)
    forward(upstream, client)
    for (const socket of pair) socket.on('error', end).on('close', end)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const endAll = () => {
    for (const pair of pairs) for (const socket of pair) socket.destroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    cut: () => {
      isCut = true
    },
    mend: () => {
      isCut = false
      endAll()
    },
    close: () => {
      endAll()
      return new Promise(resolve => server.close(() => resolve()))
    },
  }
}

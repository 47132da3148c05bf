import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** The delay before a connection that the server closed is reopened. */
const REOPEN_DELAY_MS = 2_000

/** Connects to a local port from another loopback address, and sends nothing. */
export function openIdleConnection(port: number, localAddress: string): Socket {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  socket.on('error', () => {}) // a close event follows
  socket.resume()
  return socket
}

/** Opens idle TCP connections from one address, and reopens those that the server closes until `closeAll`. */
export async function openIdleConnections(port: number, count: number, localAddress: string) {
  const sockets = new Set<Socket>()
  let isClosing = false
  let closedByServer = 0
  const open = () => {
    const socket = openIdleConnection(port, localAddress)
    sockets.add(socket)
    socket.once('close', () => {
      sockets.delete(socket)
      if (isClosing) return
      closedByServer++
      setTimeout(() => isClosing || open(), REOPEN_DELAY_MS)
    })
    return socket
  }
  const attempts = Array.from({ length: count }, open)
  await Promise.all(attempts.map(openedOrClosed))
  return {
    /** The number of connections that the server closed. */
    closedByServer: () => closedByServer,
    leave: async () => {
      isClosing = true
      const closed = [...sockets].map(socket => once(socket, 'close'))
      for (const socket of sockets) socket.destroy()
      await Promise.all(closed)
    },
  }
}

/** Resolves also when the server closes the connection before it is open. */
const openedOrClosed = (socket: Socket) =>
  new Promise<void>(resolve => {
    socket.once('connect', resolve)
    socket.once('close', () => resolve())
  })

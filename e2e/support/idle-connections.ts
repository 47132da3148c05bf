import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** What the other end closes is opened again so much later. */
const REOPEN_AFTER_MS = 2_000

/** Connects to a local port from another loopback address, and sends nothing. */
export function openIdleConnection(port: number, localAddress: string): Socket {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  socket.on('error', () => {}) // a reset is one way to be closed
  socket.resume()
  return socket
}

/** Opens TCP connections that send nothing, all from one address. What the other end closes is opened again until `leave`. */
export async function openIdleConnections(port: number, count: number, localAddress: string) {
  const sockets = new Set<Socket>()
  let isOver = false
  let closedByServer = 0
  const open = () => {
    const socket = openIdleConnection(port, localAddress)
    sockets.add(socket)
    socket.once('close', () => {
      sockets.delete(socket)
      if (isOver) return
      closedByServer++
      setTimeout(() => isOver || open(), REOPEN_AFTER_MS)
    })
    return socket
  }
  const attempts = Array.from({ length: count }, open)
  await Promise.all(attempts.map(hasTried))
  return {
    /** How many times the other end has closed one. */
    closedByServer: () => closedByServer,
    leave: async () => {
      isOver = true
      const closed = [...sockets].map(socket => once(socket, 'close'))
      for (const socket of sockets) socket.destroy()
      await Promise.all(closed)
    },
  }
}

/** The other end may close a connection before this end has seen it open. */
const hasTried = (socket: Socket) =>
  new Promise<void>(resolve => {
    socket.once('connect', resolve)
    socket.once('close', () => resolve())
  })

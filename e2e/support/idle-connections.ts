import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** Opens TCP connections to a local port that say nothing. What the other end closes is opened again until `leave`. */
export async function openIdleConnections(port: number, count: number) {
  const sockets = new Set<Socket>()
  let isOver = false
  const open = () => {
    const socket = connect(port, '127.0.0.1')
    sockets.add(socket)
    socket.on('error', () => {}) // reset, as some will be
    socket.resume()
    socket.once('close', () => {
      sockets.delete(socket)
      setTimeout(() => isOver || open(), 1_000)
    })
    return socket
  }
  await Promise.all(Array.from({ length: count }, () => once(open(), 'connect')))
  return {
    leave: async () => {
      isOver = true
      const closed = [...sockets].map(socket => once(socket, 'close'))
      for (const socket of sockets) socket.destroy()
      await Promise.all(closed)
    },
  }
}

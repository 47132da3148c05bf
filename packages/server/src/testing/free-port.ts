import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * A port for a program that cannot choose one itself, free for TCP and UDP. No other caller on this machine gets it until this
 * process ends. Below the range from which systems assign ports, so that no other process gets it before that program
 * starts, or while it restarts.
 */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  const port = randomInt(20_000, 30_000)
  // An abstract socket: it ends with the process, however that ends.
  const reservation = createServer().listen(`\0lectern-port-${port}`)
  if (!(await isListening(reservation))) return freePort(host)
  reservation.unref()
  const sockets = [createServer().listen(port, host), createSocket('udp4').bind(port, host)]
  const free = await Promise.all(sockets.map(isListening))
  await Promise.all(sockets.filter((_, i) => free[i]).map(socket => once(socket.close(), 'close')))
  if (free.every(Boolean)) return port
  reservation.close()
  return freePort(host)
}

const isListening = (socket: NodeJS.EventEmitter): Promise<boolean> =>
  once(socket, 'listening').then(
    () => true,
    () => false,
  )

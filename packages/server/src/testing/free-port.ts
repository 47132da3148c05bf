import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * A port for a program that cannot choose one itself. Below the range from which systems assign ports, so that no other
 * process gets it before that program starts, or while it restarts.
 */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  const port = randomInt(20_000, 30_000)
  const server = createServer().listen(port, host)
  const isFree = await once(server, 'listening').then(
    () => true,
    () => false,
  )
  if (!isFree) return freePort(host)
  server.close()
  await once(server, 'close')
  return port
}

import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { type Check, type Finding, fail, ok } from './check.ts'

export const port: Check = async ({ config, isRunning }) => listening(config.Server, 'Server', isRunning)

/** Whether a program of ours can listen there, or does. */
export async function listening(
  { Host, Port }: { Host: string; Port: number },
  section: string,
  isOurs: boolean | (() => Promise<boolean>),
): Promise<Finding> {
  if (Port === 0) return ok('Any free port.')
  const where = `${Host}:${Port}`
  const errorCode = await tryToListen(Host, Port)
  if (!errorCode) return ok(`${where} is free.`)
  if (errorCode === 'EADDRINUSE' && (typeof isOurs === 'boolean' ? isOurs : await isOurs()))
    return ok(`The server is listening on ${where}.`)
  if (errorCode === 'EADDRINUSE')
    return fail(`${where} is in use by another program.`, `Stop that program or change [${section}] Port.`)
  if (errorCode === 'EACCES')
    return fail(`This user is not allowed to listen on ${where}.`, `Set [${section}] Port to 1024 or higher.`)
  return fail(
    `Cannot listen on ${where}: ${errorCode}.`,
    `Change [${section}] Host to an address of this machine.`,
  )
}

/** The error code of listening, or null. */
async function tryToListen(host: string, port: number): Promise<string | null> {
  const server = createServer()
  try {
    server.listen(port, host)
    await once(server, 'listening')
    return null
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error)
  } finally {
    server.close()
  }
}

/** The error code of opening a port by TCP and by UDP, or null. */
export async function tryToBind(address: string, port: number): Promise<string | null> {
  const code = await tryToListen(address, port)
  if (code !== null) return code
  const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4')
  try {
    socket.bind(port, address)
    await once(socket, 'listening')
    return null
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error)
  } finally {
    socket.close()
  }
}

import { once } from 'node:events'
import { get as getHttp, type IncomingMessage } from 'node:http'
import { get as getHttps } from 'node:https'
import { createServer } from 'node:net'
import { json } from 'node:stream/consumers'
import { localUrl } from '../address.ts'
import { type Check, type Finding, fail, ok } from './check.ts'

const RESPONSE_TIMEOUT_MS = 3_000

export const port: Check = ({ config }) => listening(config.Server, 'Server')

/** Whether a program of ours can listen there, or does. */
export async function listening(
  address: { Host: string; Port: number; TlsCert?: string },
  section: string,
): Promise<Finding> {
  const { Host, Port } = address
  if (Port === 0) return ok('Any free port.')
  const where = `${Host}:${Port}`
  const errorCode = await tryToListen(Host, Port)
  if (!errorCode) return ok(`${where} is free.`)
  if (errorCode === 'EADDRINUSE' && (await isLectern(address)))
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

async function isLectern({ Host, Port, TlsCert = '' }: Parameters<typeof listening>[0]): Promise<boolean> {
  try {
    const body = (await json(await get(`${localUrl({ Server: { Host, Port, TlsCert } })}/healthz`))) as {
      status?: unknown
    }
    return body.status === 'ok'
  } catch {
    return false
  }
}

/** Does not verify the certificate, which is for the public name. */
async function get(url: string): Promise<IncomingMessage> {
  const signal = AbortSignal.timeout(RESPONSE_TIMEOUT_MS)
  const request = url.startsWith('https')
    ? getHttps(url, { signal, rejectUnauthorized: false, agent: false })
    : getHttp(url, { signal, agent: false })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  return response
}

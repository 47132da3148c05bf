import { once } from 'node:events'
import { get as getHttp, type IncomingMessage } from 'node:http'
import { get as getHttps } from 'node:https'
import { createServer } from 'node:net'
import { json } from 'node:stream/consumers'
import { localUrl } from '../address.ts'
import type { Config } from '../config/index.ts'
import { type Check, fail, ok } from './check.ts'

const ANSWER_WITHIN_MS = 3_000

export const port: Check = async ({ config }) => {
  const { Host, Port } = config.Server
  if (Port === 0) return ok('Any free one.')
  const where = `${Host}:${Port}`
  const refusal = await tryToListen(Host, Port)
  if (!refusal) return ok(`${where} is free.`)
  if (refusal === 'EADDRINUSE' && (await isOurs(config))) return ok(`The server runs on ${where}.`)
  if (refusal === 'EADDRINUSE')
    return fail(`${where} is taken by another program.`, 'Stop that program, or change [Server] Port.')
  if (refusal === 'EACCES')
    return fail(`${where} needs more rights than this user has.`, 'Choose a [Server] Port from 1024 up.')
  return fail(
    `${where} cannot be listened on: ${refusal}.`,
    'Change [Server] Host to an address of this machine.',
  )
}

/** Why it cannot be listened on; null when it can. */
async function tryToListen(host: string, wanted: number): Promise<string | null> {
  const server = createServer()
  try {
    server.listen(wanted, host)
    await once(server, 'listening')
    return null
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error)
  } finally {
    server.close()
  }
}

async function isOurs(config: Config): Promise<boolean> {
  try {
    const answer = (await json(await ask(`${localUrl(config)}/healthz`))) as { status?: unknown }
    return answer.status === 'ok'
  } catch {
    return false
  }
}

/** The certificate is for the public name, not for this address, so it is not verified. */
async function ask(url: string): Promise<IncomingMessage> {
  const signal = AbortSignal.timeout(ANSWER_WITHIN_MS)
  const request = url.startsWith('https')
    ? getHttps(url, { signal, rejectUnauthorized: false, agent: false })
    : getHttp(url, { signal, agent: false })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  return response
}

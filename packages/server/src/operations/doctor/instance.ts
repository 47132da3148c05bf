import { once } from 'node:events'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { json } from 'node:stream/consumers'
import { localUrl } from '../../platform/address.ts'
import type { Config } from '../../platform/config/index.ts'

const RESPONSE_TIMEOUT_MS = 3_000

type Fields = Record<string, unknown>

/** Requests JSON. Rejects if there is no such answer in time. */
export async function requestJson(
  url: string,
  { method = 'GET', rejectUnauthorized = true } = {},
): Promise<Fields> {
  const signal = AbortSignal.timeout(RESPONSE_TIMEOUT_MS)
  const options = { method, signal, agent: false } as const
  const request = url.startsWith('https')
    ? requestHttps(url, { ...options, rejectUnauthorized })
    : requestHttp(url, options)
  const [response] = (await once(request.end(), 'response')) as [IncomingMessage]
  return ((await json(response)) ?? {}) as Fields
}

/** The certificate is for the public name, and is not verified. */
export const requestLocally = (
  config: Pick<Config, 'Server'>,
  path: string,
  method = 'GET',
): Promise<Fields> => requestJson(localUrl(config) + path, { method, rejectUnauthorized: false })

export const INSTANCE_PATH = '/api/v1.0/server_info'

/** Whether this server is running: the address answers, and as a server with the same JwtSecret. */
export async function isRunning(config: Config, deploymentId: string | null): Promise<boolean> {
  if (config.Server.Port === 0) return false
  const { deployment_id } = await requestLocally(config, INSTANCE_PATH).catch(() => ({}) as Fields)
  return typeof deployment_id === 'string' && (deploymentId === null || deployment_id === deploymentId)
}

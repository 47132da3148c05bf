import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { parseArgs } from 'node:util'
import type { MediaAddress } from './held-job.ts'
import { type AccessToken, tokenOfAccount, tokenOfParent } from './sign-in.ts'

export interface Settings {
  serverUrl: string
  folder: string
  media: MediaAddress
  accessToken: AccessToken
  /** Whether the process waits to be activated by the server. */
  isStandby: boolean
  /** The address of its metrics; null: none, because the server exports the metrics of the workers that it starts. */
  state: { host: string; port: number } | null
}

/**
 * A worker that the server starts gets `--url`, `--folder` and optionally `--standby`, and obtains tokens from the server. A
 * standalone worker is configured by the environment: SVC_WORKER_URL, SVC_WORKER_FOLDER, SVC_WORKER_LOGIN, SVC_WORKER_PASSWORD or
 * SVC_WORKER_PASSWORD_FILE, and SVC_WORKER_MEDIA_IP, the address to which the server sends RTP. SVC_WORKER_METRICS_PORT, and
 * SVC_WORKER_METRICS_HOST (127.0.0.1), make it serve metrics.
 */
export function readSettings(
  args: string[],
  env: NodeJS.ProcessEnv,
  own: readonly string[] = [],
  needsMedia = true,
): Settings {
  const text = { type: 'string' } as const
  const others = Object.fromEntries(own.map(name => [name, text]))
  const { values } = parseArgs({
    args,
    options: { ...others, url: text, folder: text, standby: { type: 'boolean' } },
  })
  const need = (value: string | undefined, name: string) => {
    if (!value) throw new Error(`${name} is not set`)
    return value
  }
  const serverUrl = need(values.url ?? env.SVC_WORKER_URL, 'SVC_WORKER_URL').replace(/\/$/, '')
  const { protocol, hostname } = new URL(serverUrl)
  if (!['http:', 'https:'].includes(protocol)) throw new Error('SVC_WORKER_URL is no http or https address')
  const isHere = ['127.0.0.1', 'localhost', '[::1]'].includes(hostname)
  return {
    serverUrl,
    folder: need(values.folder ?? env.SVC_WORKER_FOLDER, 'SVC_WORKER_FOLDER'),
    media: readMedia(
      need(env.SVC_WORKER_MEDIA_IP ?? (isHere || !needsMedia ? '127.0.0.1' : ''), 'SVC_WORKER_MEDIA_IP'),
    ),
    accessToken: process.send
      ? tokenOfParent()
      : tokenOfAccount(serverUrl, need(env.SVC_WORKER_LOGIN, 'SVC_WORKER_LOGIN'), readPassword(env)),
    isStandby: values.standby ?? false,
    state: process.send ? null : readState(env),
  }
}

function readState({
  SVC_WORKER_METRICS_PORT,
  SVC_WORKER_METRICS_HOST,
}: NodeJS.ProcessEnv): Settings['state'] {
  if (!SVC_WORKER_METRICS_PORT) return null
  const port = Number(SVC_WORKER_METRICS_PORT)
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Error('SVC_WORKER_METRICS_PORT is no port from 0 to 65535')
  return { host: SVC_WORKER_METRICS_HOST || '127.0.0.1', port }
}

function readMedia(ip: string): MediaAddress {
  const version = isIP(ip)
  if (version === 0) throw new Error('SVC_WORKER_MEDIA_IP is no IP address')
  // Not encrypted between processes of the same server on loopback.
  if (isLoopback(ip)) return { ip, bindTo: ip, encrypted: !process.send }
  return { ip, bindTo: version === 6 ? '::' : '0.0.0.0', encrypted: true }
}

const isLoopback = (ip: string) => ip.startsWith('127.') || ip === '::1'

function readPassword({ SVC_WORKER_PASSWORD, SVC_WORKER_PASSWORD_FILE }: NodeJS.ProcessEnv): string {
  if (SVC_WORKER_PASSWORD) return SVC_WORKER_PASSWORD
  if (SVC_WORKER_PASSWORD_FILE) return readFileSync(SVC_WORKER_PASSWORD_FILE, 'utf8').trim()
  throw new Error('neither SVC_WORKER_PASSWORD nor SVC_WORKER_PASSWORD_FILE is set')
}

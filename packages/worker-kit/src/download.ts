import { createWriteStream } from 'node:fs'
import { rename } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { AccessToken } from './sign-in.ts'

interface DownloadOptions {
  serverUrl: string
  accessToken: AccessToken
  signal: AbortSignal
}

/** Generous, because a file may be large and the connection slow. */
const TIMEOUT_MS = 180_000

/** The file is complete, or it is not there. */
export async function downloadFile(options: DownloadOptions, path: string, file: string): Promise<void> {
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(TIMEOUT_MS)])
  let response = await request(options, path, signal, false)
  if (response.status === 401) {
    await response.body?.cancel()
    response = await request(options, path, signal, true)
  }
  if (!response.ok || !response.body) throw new Error(`${path}: HTTP ${response.status}`)
  const part = `${file}.part`
  await pipeline(Readable.fromWeb(response.body as never), createWriteStream(part), { signal })
  await rename(part, file)
}

async function request(
  { serverUrl, accessToken }: DownloadOptions,
  path: string,
  signal: AbortSignal,
  refused: boolean,
): Promise<Response> {
  const token = await accessToken(refused)
  if (token === null) throw new Error('no access token available')
  return fetch(serverUrl + path, { headers: { authorization: `Bearer ${token}` }, signal })
}

import { singleFlight } from '@lectern/common'
import type { LoginResponse } from '@lectern/protocol'

/** Called before each connection. `refused`: the previous token was rejected. Null: none available now. */
export type AccessToken = (refused: boolean) => Promise<string | null>

const TIMEOUT_MS = 10_000
/** Tokens that expire sooner are replaced. */
const EXPIRY_MARGIN_MS = 60_000

/** For a worker that the server has started: the parent process issues the token. */
export function tokenOfParent(): AccessToken {
  return singleFlight(
    (refused: boolean) =>
      new Promise<string | null>((resolve, reject) => {
        const cleanUp = () => {
          clearTimeout(timer)
          process.off('message', onMessage)
        }
        const onMessage = (message: unknown) => {
          if (typeof message !== 'object' || message === null || !('access_token' in message)) return
          cleanUp()
          resolve(typeof message.access_token === 'string' ? message.access_token : null)
        }
        const timer = setTimeout(() => {
          cleanUp()
          reject(new Error('the server did not issue a token'))
        }, TIMEOUT_MS)
        process.on('message', onMessage)
        process.send?.({ request: 'access_token', refused })
      }),
  )
}

/** For a standalone worker: signs in with a password. */
export function tokenOfAccount(serverUrl: string, login: string, password: string): AccessToken {
  let tokens: LoginResponse | null = null
  let goodUntilMs = 0
  const ask = async (path: string, body: object) => {
    const response = await fetch(`${serverUrl}/api/v1.0/auth/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    if (!response.ok) throw new Error(`auth/${path}: HTTP ${response.status}`)
    return (await response.json()) as LoginResponse
  }
  return singleFlight(async (refused: boolean) => {
    if (tokens && !refused && Date.now() < goodUntilMs - EXPIRY_MARGIN_MS) return tokens.access_token
    const refreshed =
      tokens && (await ask('refresh', { refresh_token: tokens.refresh_token }).catch(() => null))
    tokens = refreshed ?? (await ask('login', { login, password }))
    goodUntilMs = Date.now() + tokens.expires_in * 1_000
    return tokens.access_token
  })
}

import type { LoginResponse } from '@lectern/protocol'

/** Asked before each connection; `refused`: the last one was not taken. Null: not now. */
export type AccessToken = (refused: boolean) => Promise<string | null>

const WITHIN_MS = 10_000
/** A token that ends sooner is replaced: it has to get to the server yet. */
const SPARE_MS = 60_000

/** Of a worker that the server has started: the server gives the token itself. */
export function tokenOfParent(): AccessToken {
  return shared(
    refused =>
      new Promise((resolve, reject) => {
        const end = () => {
          clearTimeout(late)
          process.off('message', hear)
        }
        const hear = (message: unknown) => {
          if (typeof message !== 'object' || message === null || !('access_token' in message)) return
          end()
          resolve(typeof message.access_token === 'string' ? message.access_token : null)
        }
        const late = setTimeout(() => {
          end()
          reject(new Error('the server gives no token'))
        }, WITHIN_MS)
        process.on('message', hear)
        process.send?.({ ask: 'access_token', refused })
      }),
  )
}

/** Of a worker on a machine of its own. */
export function tokenOfAccount(serverUrl: string, login: string, password: string): AccessToken {
  let tokens: LoginResponse | null = null
  let goodUntilMs = 0
  const ask = async (path: string, body: object) => {
    const response = await fetch(`${serverUrl}/api/v1.0/auth/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(WITHIN_MS),
    })
    if (!response.ok) throw new Error(`auth/${path}: HTTP ${response.status}`)
    return (await response.json()) as LoginResponse
  }
  return shared(async refused => {
    if (tokens && !refused && Date.now() < goodUntilMs - SPARE_MS) return tokens.access_token
    const refreshed =
      tokens && (await ask('refresh', { refresh_token: tokens.refresh_token }).catch(() => null))
    tokens = refreshed ?? (await ask('login', { login, password }))
    goodUntilMs = Date.now() + tokens.expires_in * 1_000
    return tokens.access_token
  })
}

/** Who asks while another asks gets the same answer. */
function shared(ask: AccessToken): AccessToken {
  let asked: Promise<string | null> | null = null
  return refused => {
    asked ??= ask(refused).finally(() => {
      asked = null
    })
    return asked
  }
}

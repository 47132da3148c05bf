/** What came back from the server, before anyone asks what it means. */
export type Answer =
  | { is: 'ok'; body: unknown }
  | { is: 'refused'; status: number; code: string | null; retryAfterMs: number | null }
  | { is: 'unreachable' } // no answer at all: offline, blocked, cut off or too slow

const ANSWER_WITHIN_MS = 15_000

/** Asks our own server; there is no other. Nothing is sent along but the address: no cookies, no referrer. */
export class Api {
  readonly #base: string

  constructor(base = '') {
    this.#base = base
  }

  get(path: string): Promise<Answer> {
    return this.#ask(path, { headers: { accept: 'application/json' } })
  }

  post(path: string, body: Record<string, unknown>): Promise<Answer> {
    const headers = { accept: 'application/json', 'content-type': 'application/json' }
    return this.#ask(path, { method: 'POST', headers, body: JSON.stringify(body) })
  }

  async #ask(path: string, request: RequestInit): Promise<Answer> {
    const giveUp = AbortSignal.timeout(ANSWER_WITHIN_MS)
    try {
      const response = await fetch(this.#base + path, {
        ...request,
        credentials: 'omit',
        referrerPolicy: 'no-referrer',
        cache: 'no-store',
        signal: giveUp,
      })
      return readResponse(response, parse(await response.text()))
    } catch {
      return { is: 'unreachable' }
    }
  }
}

function readResponse(response: Response, body: unknown): Answer {
  if (response.ok) return { is: 'ok', body }
  const { status } = response
  const retryAfterMs = readRetryAfter(response.headers.get('retry-after'), Date.now())
  return { is: 'refused', status, code: readCode(body), retryAfterMs }
}

/** Anything that is not JSON, such as a proxy's error page, reads as no body. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** The stable code of a refusal; null when something in between answered for the server. */
function readCode(body: unknown): string | null {
  const code = typeof body === 'object' && body !== null && 'code' in body ? body.code : null
  return typeof code === 'string' && /^[a-z0-9_]{1,64}$/.test(code) ? code : null
}

/** Seconds or an HTTP date, told as milliseconds from now. */
export function readRetryAfter(value: string | null, now: number): number | null {
  if (value === null) return null
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now
  return Number.isNaN(ms) ? null : Math.max(0, ms)
}

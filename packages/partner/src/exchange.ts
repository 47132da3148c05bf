import { LecternError, parseObject, refusalOf } from './errors.ts'

export type Fetch = typeof globalThis.fetch

export interface Exchange {
  fetch: Fetch
  url: URL
  method?: string
  /** Sent as JSON. */
  body?: unknown
  headers?: Record<string, string>
  timeoutMs: number
  signal?: AbortSignal
}

/** One request and its answer, which is a JSON object. */
export function exchangeJson<T>(exchange: Exchange): Promise<T> {
  return within(exchange, async signal => {
    const response = await send(exchange, signal)
    const { status } = response
    const answer = parseObject(await response.text())
    if (!answer)
      throw new LecternError('bad_answer', 'The server answered without a JSON object.', { status })
    return answer as T
  })
}

/** One request, and its answer as soon as it begins. The timeout is over by then; the signal is not. */
export function exchangeStream(exchange: Exchange): Promise<Response> {
  return within(exchange, signal => send(exchange, signal))
}

/** Redirects are not followed: they would carry what we send to an address that nobody chose. */
async function send(exchange: Exchange, signal: AbortSignal): Promise<Response> {
  const { url, method = 'GET', body, headers } = exchange
  const response = await exchange.fetch(url, {
    method,
    redirect: 'manual',
    signal,
    headers: {
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw await refusalOf(response)
  return response
}

/** Runs under the exchange's timeout and signal; says which of them, or the network, ended it. */
async function within<T>(exchange: Exchange, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { signal, timeoutMs } = exchange
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(), timeoutMs)
  try {
    return await run(signal ? AbortSignal.any([signal, deadline.signal]) : deadline.signal)
  } catch (cause) {
    signal?.throwIfAborted()
    if (cause instanceof LecternError) throw cause
    const { host } = exchange.url
    throw deadline.signal.aborted
      ? new LecternError('timeout', `${host} did not answer in ${timeoutMs} ms.`, { cause, retryable: true })
      : new LecternError('network_error', `The connection to ${host} failed.`, { cause, retryable: true })
  } finally {
    clearTimeout(timer)
  }
}

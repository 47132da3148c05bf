import { LecternError, parseObject, refusalOf } from './errors.ts'

export type Fetch = typeof globalThis.fetch

export interface Exchange {
  fetch: Fetch
  url: URL
  method?: string
  /** Sent as JSON. */
  body?: unknown
  /** Sent as it is, instead of a body. */
  content?: Blob | Uint8Array<ArrayBuffer>
  headers?: Record<string, string>
  timeoutMs: number
  signal?: AbortSignal
}

/** Sends a request; resolves with the JSON object of the response. */
export function exchangeJson<T>(exchange: Exchange): Promise<T> {
  return within(exchange, async signal => {
    const response = await send(exchange, signal)
    const { status } = response
    const content = parseObject(await response.text())
    if (!content)
      throw new LecternError('bad_answer', 'The response of the server is not a JSON object.', { status })
    return content as T
  })
}

/** Sends a request; resolves with the text of the response. */
export function exchangeText(exchange: Exchange): Promise<string> {
  return within(exchange, async signal => (await send(exchange, signal)).text())
}

/** Sends a request; resolves when the response begins. The signal still applies to the body, the timeout does not. */
export function exchangeStream(exchange: Exchange): Promise<Response> {
  return within(exchange, signal => send(exchange, signal))
}

/** Does not follow redirects, which would send credentials to another URL. */
async function send(exchange: Exchange, signal: AbortSignal): Promise<Response> {
  const { url, method = 'GET', body, content, headers } = exchange
  const response = await exchange.fetch(url, {
    method,
    redirect: 'manual',
    signal,
    headers: {
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(content !== undefined && { 'content-type': 'application/octet-stream' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(content !== undefined && { body: content }),
  })
  if (!response.ok) throw await refusalOf(response)
  return response
}

/** Runs with the timeout and signal of the exchange; maps failures to a LecternError. */
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
      ? new LecternError('timeout', `${host} did not respond within ${timeoutMs} ms.`, {
          cause,
          retryable: true,
        })
      : new LecternError('network_error', `The connection to ${host} failed.`, { cause, retryable: true })
  } finally {
    clearTimeout(timer)
  }
}

const RESPONSE_TIMEOUT_MS = 5_000

/**
 * Rejects while the server does not respond. Browsers delay WebSockets to an address where several have failed
 * (RFC 6455, section 7.2.3), longer with each failure: so a WebSocket is opened only where it can succeed.
 */
export async function assertReachable(): Promise<void> {
  const signal = AbortSignal.timeout(RESPONSE_TIMEOUT_MS)
  const { status } = await fetch('/api/v1.0/server_info', { method: 'HEAD', cache: 'no-store', signal })
  if (status >= 500) throw new Error(`The server responded with ${status}.`)
}

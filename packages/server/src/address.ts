import type { Config } from './config/index.ts'

/** Addresses that mean "every interface", and how one of these is reached from the machine itself. */
const EVERYWHERE: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

/** Where the service of this configuration is reached from its own machine; `port` when it took a free one. */
export function localUrl({ Server: { Host, Port, TlsCert } }: Config, port = Port): string {
  const host = EVERYWHERE[Host] ?? Host
  return `${TlsCert ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`
}

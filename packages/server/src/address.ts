import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os'
import type { Config } from './config/index.ts'

/** Addresses that mean "every interface", and how one of these is reached from the machine itself. */
const EVERYWHERE: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

/** Where the service of this configuration is reached from its own machine; `port` when it took a free one. */
export function localUrl({ Server: { Host, Port, TlsCert } }: Config, port = Port): string {
  const host = EVERYWHERE[Host] ?? Host
  return `${TlsCert ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`
}

const LOOPBACK = /^(127\.|::1$)/
const LINK_LOCAL = /^(169\.254\.|fe[89ab])/i

/**
 * What media workers listen on besides ListenIp, as the configuration asks for; null where that is nothing or the
 * machine has no such address.
 */
export function mediaHostAddress({ Media }: Config, interfaces = networkInterfaces()): string | null {
  const { ListenOnHostAddress, ListenIp, AnnouncedAddress } = Media
  return ListenOnHostAddress && LOOPBACK.test(ListenIp) && AnnouncedAddress === ''
    ? hostAddress(interfaces)
    : null
}

/** IPv4 before IPv6: browsers always have a way to it on the same machine. */
function hostAddress(interfaces: NodeJS.Dict<NetworkInterfaceInfo[]>): string | null {
  const all = Object.values(interfaces).flatMap(each => each ?? [])
  const usable = all.filter(({ internal, address }) => !internal && !LINK_LOCAL.test(address))
  return (usable.find(({ family }) => family === 'IPv4') ?? usable[0])?.address ?? null
}

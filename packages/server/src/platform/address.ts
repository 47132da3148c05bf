import { isIP } from 'node:net'
import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os'
import type { Config } from './config/index.ts'

/** Wildcard addresses, and the loopback address that reaches them. */
const WILDCARDS: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

export const isWildcard = (address: string): boolean => address in WILDCARDS

interface Listening {
  Server: { readonly Host: string; readonly Port: number; readonly TlsCert: string }
}

/** The URL of the service on its own machine. `port` overrides the configured one, which may be 0 (any free port). */
export function localUrl({ Server: { Host, Port, TlsCert } }: Listening, port = Port): string {
  const host = WILDCARDS[Host] ?? Host
  return `${TlsCert ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`
}

const LOOPBACK = /^(127\.|::1$)/
export const isLoopback = (address: string): boolean => LOOPBACK.test(address)

const LINK_LOCAL = /^(169\.254\.|fe[89ab])/i

/**
 * The address that media workers listen on in addition to ListenIp; null if it is not configured or the machine has none.
 */
export function mediaHostAddress({ Media }: Config, interfaces = networkInterfaces()): string | null {
  const { ListenOnHostAddress, ListenIp, AnnouncedAddress } = Media
  return ListenOnHostAddress && isLoopback(ListenIp) && AnnouncedAddress === ''
    ? hostAddress(interfaces)
    : null
}

/**
 * The address to which browsers send media, where it is not ListenIp: the configured one, or one of the machine if
 * workers listen on all. Empty: ListenIp.
 */
export function announcedAddress(
  { Media }: { Media: { readonly ListenIp: string; readonly AnnouncedAddress: string } },
  interfaces = networkInterfaces(),
): string {
  if (Media.AnnouncedAddress !== '' || !isWildcard(Media.ListenIp)) return Media.AnnouncedAddress
  return hostAddress(interfaces) ?? ''
}

/**
 * The address to listen on for those who send to `announced`: that one if it is of this machine. The answers of a socket at a
 * wildcard leave from the address of the route, which is another one where a machine has several, and nobody accepts them.
 */
export function boundAddress(listenIp: string, announced: string, interfaces = networkInterfaces()): string {
  return isWildcard(listenIp) && isOwnAddress(announced, interfaces) ? announced : listenIp
}

/** Whether the machine has the address now. */
export function isOwnAddress(address: string, interfaces = networkInterfaces()): boolean {
  const own = Object.values(interfaces).flatMap(each => each ?? [])
  return own.some(each => each.address === address)
}

/** Whether packets to an IP address can arrive: the wildcard of IPv6 is one of IPv4, too. */
export const listensFor = (listenIp: string, address: string): boolean =>
  listenIp === '::' || isIP(listenIp) === isIP(address)

/** The address at which other media nodes reach this one. */
export function mediaPipeAddress({ Media, MediaNode }: Config, interfaces = networkInterfaces()): string {
  if (MediaNode.PipeAddress !== '') return MediaNode.PipeAddress
  return isWildcard(Media.ListenIp) ? (hostAddress(interfaces) ?? '127.0.0.1') : Media.ListenIp
}

/** Prefers IPv4: browsers on the same machine can always reach it. */
function hostAddress(interfaces: NodeJS.Dict<NetworkInterfaceInfo[]>): string | null {
  const all = Object.values(interfaces).flatMap(each => each ?? [])
  const usable = all.filter(({ internal, address }) => !internal && !LINK_LOCAL.test(address))
  return (usable.find(({ family }) => family === 'IPv4') ?? usable[0])?.address ?? null
}

import { isIPv6 } from 'node:net'
import { isLoopback } from '../../platform/address.ts'

/** The addresses of the supervised coturn, and of its peers. */
export interface CoturnSettings {
  port: number
  relayPorts: { min: number; max: number }
  /** The address of this machine at which media workers receive. */
  localAddress: string
  /** The address to which browsers send media. */
  announcedAddress: string
  /** All addresses of the machine, instead of the local one only. */
  listensOnAll: boolean
  /** Media nodes are on other machines, so that relaying to this one is not enough. */
  hasMediaNodes: boolean
  realm: string
  /** The first one signs new credentials; the others are still accepted. */
  secrets: readonly string[]
  folder: string
}

/** A browser allocates by UDP, TCP and TLS for two transports, and again when its network changes. */
const ALLOCATIONS_PER_USER = 24
const ALLOCATIONS = 4000

/** Addresses that are not public (RFC 6890). */
const PRIVATE_RANGES = [
  '0.0.0.0-0.255.255.255',
  '10.0.0.0-10.255.255.255',
  '100.64.0.0-100.127.255.255',
  '127.0.0.0-127.255.255.255',
  '169.254.0.0-169.254.255.255',
  '172.16.0.0-172.31.255.255',
  '192.0.0.0-192.0.0.255',
  '192.168.0.0-192.168.255.255',
  '198.18.0.0-198.19.255.255',
  '224.0.0.0-255.255.255.255',
  '::-::ffff:ffff:ffff',
  '64:ff9b::-64:ff9b::ffff:ffff',
  '64:ff9b:1::-64:ff9b:1:ffff:ffff:ffff:ffff:ffff',
  'fc00::-fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
  'fe80::-febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
]
/** coturn logs that it cannot listen on `::` where a machine has no IPv6, and goes on. */
const WILDCARDS = ['0.0.0.0', '::']
const ALL_RANGES = ['0.0.0.0-255.255.255.255', '::-ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff']

/**
 * The configuration file of coturn. It relays to the media addresses of this machine and to no other one, so that
 * credentials open no way into the operator's network; with media nodes, to public addresses, too. coturn cannot restrict
 * the ports of peers: other UDP services at these addresses are within reach, those of TCP are not.
 */
export function coturnConfig(settings: CoturnSettings): string {
  const { port, relayPorts, localAddress, announcedAddress, listensOnAll, folder } = settings
  const isV6 = isIPv6(localAddress)
  // The https port passes connections on to 127.0.0.1; over it people with IPv4 reach a relay of IPv6, too.
  const listening = listensOnAll ? WILDCARDS : [...new Set([localAddress, '127.0.0.1'])]
  const isMapped = announcedAddress !== localAddress
  const own = [...new Set([localAddress, announcedAddress])]
  const denied = settings.hasMediaNodes ? PRIVATE_RANGES : ALL_RANGES
  return [
    ...listening.map(address => `listening-ip=${address}`),
    `listening-port=${port}`,
    `relay-ip=${localAddress}`,
    // Browsers name no family.
    ...(isV6 ? ['allocation-default-address-family=ipv6'] : []),
    ...(isMapped ? [`external-ip=${announcedAddress}/${localAddress}`] : []),
    `min-port=${relayPorts.min}`,
    `max-port=${relayPorts.max}`,
    `realm=${settings.realm}`,
    'use-auth-secret',
    ...settings.secrets.map(secret => `static-auth-secret=${secret}`),
    `user-quota=${ALLOCATIONS_PER_USER}`,
    `total-quota=${ALLOCATIONS}`,
    ...denied.map(range => `denied-peer-ip=${range}`),
    ...own.map(address => `allowed-peer-ip=${address}`),
    ...(isLoopback(localAddress) ? ['allow-loopback-peers'] : []),
    'no-multicast-peers',
    'no-tcp-relay',
    // Otherwise the next port is open, too, for tests of NAT.
    'no-rfc5780',
    // TLS ends at the server's own port, with its certificate.
    'no-tls',
    'no-dtls',
    'no-cli',
    'fingerprint',
    'simple-log',
    'log-file=stdout',
    `userdb=${folder}/turndb`,
    `pidfile=${folder}/turnserver.pid`,
    '',
  ].join('\n')
}

import type { LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Whether it is a unicast address of the public internet: not private, loopback, link-local or reserved. */
export function isPublicAddress(address: string): boolean {
  const parsed = ipaddr.process(address) // an IPv4-mapped address is judged by its IPv4 part
  // The library treats unassigned IPv6 space as unicast; the public internet is 2000::/3.
  const isAssigned = parsed instanceof ipaddr.IPv4 || parsed.match(ipaddr.IPv6.parse('2000::'), 3)
  return isAssigned && parsed.range() === 'unicast'
}

/** All addresses of a name. Throws when there are none. */
export type Resolve = (host: string) => Promise<LookupAddress[]>

const resolver = new Resolver({ timeout: 3_000, tries: 2 })

/**
 * Queries the name servers directly. The system's lookup, Node's default, blocks one of a few threads while a name server
 * does not respond: one such name would delay all other receivers.
 */
export const queryNameServers: Resolve = async host => {
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  if (v4.status === 'rejected' && v6.status === 'rejected') throw v4.reason
  return [
    ...(v4.status === 'fulfilled' ? v4.value.map(address => ({ address, family: 4 })) : []),
    ...(v6.status === 'fulfilled' ? v6.value.map(address => ({ address, family: 6 })) : []),
  ]
}

/**
 * A `lookup` for `request`, which then connects to exactly the checked addresses; this prevents DNS rebinding. One private
 * address among several refuses the name.
 */
export const publicLookup =
  (resolve: Resolve): LookupFunction =>
  (host, { all }, callback) => {
    const fail = (error: Error) => callback(error, '')
    resolve(host).then(found => {
      const [first] = found
      if (!first || !found.every(({ address }) => isPublicAddress(address)))
        fail(Object.assign(new Error('a private address'), { code: 'PRIVATE_ADDRESS' }))
      else if (all) callback(null, found)
      else callback(null, first.address, first.family)
    }, fail)
  }

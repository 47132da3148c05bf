import { isIPv6 } from 'node:net'

/** The network that rate limits apply to: the /64 of an IPv6 address, which one household holds; else the address. */
export function networkOf(address: string): string {
  const [plain = ''] = address.split('%') // without the zone id
  if (!isIPv6(plain)) return plain
  const shortest = new URL(`http://[${plain}]`).hostname.slice(1, -1)
  if (shortest.startsWith('::ffff:')) return shortest // an IPv4 address
  const [before = [], after = []] = shortest.split('::').map(groups => groups.split(':').filter(Boolean))
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0')
  return [...before, ...zeros, ...after].slice(0, 4).join(':')
}

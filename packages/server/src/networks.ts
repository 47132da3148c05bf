import ipaddr from 'ipaddr.js'

/** What an address is counted by: an IPv4 address itself, an IPv6 one its /64 and, in a wider pool, its /48. */
export interface Networks {
  narrow: string
  wide: string | null
}

/** A /48 may do so many times what a /64 may: it can also be many customers. */
export const WIDE_FACTOR = 4

/** A customer of an access provider has a /64 at least, and often a /48: single addresses mean nothing there. */
export function networksOf(address: string): Networks {
  if (!ipaddr.isValid(address)) return { narrow: address, wide: null }
  const parsed = ipaddr.process(address) // ::ffff:10.0.0.1 is 10.0.0.1
  if (parsed.kind() === 'ipv4') return { narrow: parsed.toString(), wide: null }
  const { parts } = parsed as ipaddr.IPv6
  const prefix = (groups: number) =>
    `${parts
      .slice(0, groups)
      .map(part => part.toString(16))
      .join(':')}::/${groups * 16}`
  return { narrow: prefix(4), wide: prefix(3) }
}

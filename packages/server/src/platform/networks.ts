import ipaddr from 'ipaddr.js'

/** The keys by which limits count an address: the IPv4 address, or the /64 network and the wider /48 of an IPv6 address. */
export interface Networks {
  narrow: string
  wide: string | null
}

/** A /48 has this multiple of the limit of a /64, because it may serve many customers. */
export const WIDE_FACTOR = 4

/** Some proxies write the port of the client into X-Forwarded-For: another one with each connection. */
const WITH_PORT = /^(?:\[([^\]]+)\]|([\d.]+)):\d+$/

/** Access providers assign a /64 or a /48 to each customer, so a single IPv6 address does not identify a client. */
export function networksOf(client: string): Networks {
  const [, six, four] = WITH_PORT.exec(client) ?? []
  const address = six ?? four ?? client
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

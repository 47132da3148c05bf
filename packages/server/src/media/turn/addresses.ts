import { createSocket } from 'node:dgram'
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { isIP, isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'
import { announcedAddress, boundAddress, isWildcard, listensFor } from '../../platform/address.ts'

export interface MediaAddresses {
  localAddress: string
  announcedAddress: string
  listensOnAll: boolean
}

interface MediaSettings {
  ListenIp: string
  AnnouncedAddress: string
}

/**
 * The addresses at which media workers listen and are reached, of one family: IPv4 where both are possible. Throws if
 * AnnouncedAddress is a name that does not resolve, or is of a family in which nothing listens.
 */
export async function mediaAddresses(Media: MediaSettings): Promise<MediaAddresses> {
  const { ListenIp } = Media
  const configured = announcedAddress({ Media })
  const announced = configured && (await lookup(configured, familyOf(ListenIp))).address
  if (announced && !listensFor(ListenIp, announced))
    throw new Error(`media listens on ${ListenIp}, and not on ${announced}`)
  const bound = boundAddress(ListenIp, announced)
  const listensOnAll = isWildcard(bound)
  const localAddress = listensOnAll ? await localAddressFor(announced) : bound
  return { localAddress, announcedAddress: announced || localAddress, listensOnAll }
}

const familyOf = (listenIp: string) =>
  listenIp === '::' ? ({ order: 'ipv4first' } as const) : { family: isIP(listenIp) }

/** The address of this machine that belongs to a public one: the one from which packets to it are sent. */
async function localAddressFor(announced: string): Promise<string> {
  const isV6 = isIPv6(announced)
  const socket = createSocket(isV6 ? 'udp6' : 'udp4')
  try {
    // A UDP socket sends nothing when it connects.
    socket.connect(9, announced || '192.0.2.1')
    await once(socket, 'connect')
    return socket.address().address
  } catch {
    const own = Object.values(networkInterfaces()).flatMap(each => each ?? [])
    const wanted = isV6 ? 'IPv6' : 'IPv4'
    return (
      own.find(({ family, internal, scopeid }) => family === wanted && !internal && !scopeid)?.address ??
      (isV6 ? '::1' : '127.0.0.1')
    )
  } finally {
    socket.close()
  }
}

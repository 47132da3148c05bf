import { createSocket } from 'node:dgram'
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { networkInterfaces } from 'node:os'
import { announcedAddress } from '../../platform/address.ts'

const WILDCARDS = new Set(['0.0.0.0', '::'])

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
 * The addresses at which media workers listen and are reached. Throws if AnnouncedAddress is a name that does not
 * resolve.
 */
export async function mediaAddresses(Media: MediaSettings): Promise<MediaAddresses> {
  const { ListenIp } = Media
  const configured = announcedAddress({ Media })
  const listensOnAll = WILDCARDS.has(ListenIp)
  const announced = configured && (await lookup(configured, { family: 4 })).address
  const localAddress = listensOnAll ? await localAddressFor(announced) : ListenIp
  return { localAddress, announcedAddress: announced || localAddress, listensOnAll }
}

/** The address of this machine that belongs to a public one: itself, or the one from which packets to it are sent. */
async function localAddressFor(announced: string): Promise<string> {
  const own = Object.values(networkInterfaces()).flatMap(each => each ?? [])
  if (own.some(({ address }) => address === announced)) return announced
  const socket = createSocket('udp4')
  try {
    // A UDP socket sends nothing when it connects.
    socket.connect(9, announced || '192.0.2.1')
    await once(socket, 'connect')
    return socket.address().address
  } catch {
    return own.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1'
  } finally {
    socket.close()
  }
}

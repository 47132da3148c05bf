import type { JsonObject } from '@lectern/protocol/control/client'
import type { types } from 'mediasoup-client'

/** A device without the router's capabilities: each endpoint loads its own. */
type MakeDevice = () => types.Device

let prepared: Promise<MakeDevice> | null = null
let received: types.RtpCapabilities | null = null

/** The receiving capabilities of this browser; null until `prepareMediasoup` knows them. */
export const receivingCapabilities = () => received as JsonObject | null

/**
 * Loads mediasoup-client and finds out what this browser can send and receive, which takes two peer connections: the
 * prejoin page does it ahead, so that joining does not wait for it. A failure is reported by the next call.
 */
export function prepareMediasoup(): Promise<MakeDevice> {
  prepared ??= load().catch(cause => {
    prepared = null
    throw cause
  })
  return prepared
}

async function load(): Promise<MakeDevice> {
  const [{ Device, detectDeviceAsync }, { Chrome74 }, { Chrome111 }, { Firefox120 }, { Safari12 }] =
    await Promise.all([
      import('mediasoup-client'),
      import('mediasoup-client/handlers/Chrome74'),
      import('mediasoup-client/handlers/Chrome111'),
      import('mediasoup-client/handlers/Firefox120'),
      import('mediasoup-client/handlers/Safari12'),
    ])
  const handlers: Record<string, { createFactory(options: object): types.HandlerFactory } | undefined> = {
    Chrome74,
    Chrome111,
    Firefox120,
    Safari12,
  }
  const handler = handlers[(await detectDeviceAsync()) ?? '']
  // Reports that the browser is not supported.
  if (!handler) return () => new Device()
  const factory = handler.createFactory({})
  const [receive, send] = await Promise.all(
    (['recvonly', 'sendonly'] as const).map(direction => factory.getNativeRtpCapabilities({ direction })),
  )
  received = receive as types.RtpCapabilities
  const getNativeRtpCapabilities: typeof factory.getNativeRtpCapabilities = async ({ direction }) =>
    (direction === 'recvonly' ? receive : send) as types.RtpCapabilities
  return () => new Device({ handlerFactory: { ...factory, getNativeRtpCapabilities } })
}

import type { RtpCapabilities as Receiving } from 'mediasoup/types'
import * as ortc from 'mediasoup-client/ortc'
import type { RtpCapabilities } from 'mediasoup-client/types'
import { readRtpCapabilities } from '../ortc.ts'
import { assertMedia, MediaRefusal } from '../refusals.ts'

/**
 * The capabilities to receive from a router for a client with these capabilities, in the payload types of the router
 * (rule G15). Codecs that the router lacks are not examined. Throws a MediaRefusal for malformed capabilities.
 */
export function receivingCapabilities(client: object, router: object): Receiving {
  const offered = structuredClone(router) as RtpCapabilities
  const own = structuredClone(readRtpCapabilities(only(client, offered))) as RtpCapabilities
  try {
    for (const each of [own, offered]) ortc.validateAndNormalizeRtpCapabilities(each)
    return ortc.getRecvRtpCapabilities(ortc.getExtendedRtpCapabilities(own, offered, false)) as Receiving
  } catch (cause) {
    // The library trusts what browsers report.
    throw cause instanceof TypeError ? new MediaRefusal('malformed', { cause }) : cause
  }
}

/** Without codecs of other names: browsers report dozens, and parameters that no other codec has. */
function only(client: { codecs?: unknown }, router: RtpCapabilities): object {
  const { codecs } = client
  assertMedia(Array.isArray(codecs), 'malformed')
  const known = new Set(router.codecs?.map(({ mimeType }) => mimeType.toLowerCase()))
  return { ...client, codecs: codecs.filter(codec => known.has(String(codec?.mimeType).toLowerCase())) }
}

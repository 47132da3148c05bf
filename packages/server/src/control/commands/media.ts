import { withTimeout } from '@lectern/common'
import { ensure, Refusal } from '@lectern/protocol'
import type { CommandData, JoinMedia, JsonObject } from '@lectern/protocol/control'
import { receivingCapabilities } from '../../media/sdp/receiving-capabilities.ts'
import type { ParticipantRef } from '../../sessions/participants/membership.ts'
import {
  presentEgress,
  presentEndpoint,
  presentIceRestart,
  presentIceServers,
  toEgressOptions,
} from '../media-mapping.ts'
import type { ControlParts } from '../ports.ts'
import { toControlError } from '../refusals.ts'
import type { SdpNegotiation } from '../sdp-negotiation.ts'
import type { MemberHandler, Sender } from './command.ts'
import { findMembership } from './memberships.ts'

/** Media commands in the types of the media server. Negotiations are in v2/media-negotiation.ts. */

const withData = (data: object) => ({ data: data as JsonObject })

export const open: MemberHandler<'media.open'> = async (
  { media, turnAccess, registry },
  { participant, sender },
  { body, target },
) => {
  ensure(sender.canNegotiate, 'media_unsupported', 'Media needs version 2 of the protocol.')
  const endpoint = await media.openEndpoint(participant, {
    tcpOnly: body.tcp_only,
    region: sender.region,
    ...(body.payload_types && { payloadTypes: body.payload_types }),
    // SDP does not say which of them join spatial layers.
    ...((body.format === 'sdp' || body.payload_types) && { avoidsSpatialLayers: true }),
  })
  const presented = presentEndpoint(endpoint)
  const sdp =
    body.format === 'sdp'
      ? await openSdpNegotiation(presented, id => isPublished(registry, participant, id))
      : undefined
  const membership = findMembership(sender, target)
  if (membership) membership.sdp = sdp
  return withData({ ...presented, ...presentIceServers(turnAccess(sender.login.user.id)) })
}

/** A join waits no longer for media. */
const JOIN_WAITS_MS = 1_000

/**
 * Creates the endpoint of a newcomer, and declares what it receives (rule G15). Null when that fails or takes too long:
 * media never blocks a join, and the client opens another endpoint.
 */
export async function openWithJoin(
  { media, turnAccess, log }: ControlParts,
  sender: Sender,
  participant: ParticipantRef,
  { tcp_only, rtp_capabilities }: JoinMedia,
): Promise<CommandData<'media.open'> | null> {
  if (!sender.canNegotiate) return null
  const open = async () => {
    const endpoint = await media.openEndpoint(participant, { tcpOnly: tcp_only, region: sender.region })
    const capabilities = receivingCapabilities(rtp_capabilities, endpoint.routerRtpCapabilities)
    await media.setRtpCapabilities(participant, endpoint.endpointId, capabilities)
    return endpoint
  }
  try {
    const endpoint = await withTimeout(open(), JOIN_WAITS_MS, () => new Refusal('temporarily_unavailable'))
    return { ...presentEndpoint(endpoint), ...presentIceServers(turnAccess(sender.login.user.id)) }
  } catch (error) {
    const about = { conference_session_id: participant.sessionId }
    log.debug({ ...about, code: toControlError(error, log, about).code }, 'a join opened no endpoint')
    return null
  }
}

/** Opens a negotiation in SDP. Its libraries are loaded for the first client that speaks SDP, because they take memory. */
async function openSdpNegotiation(
  ...parts: ConstructorParameters<typeof SdpNegotiation>
): Promise<SdpNegotiation> {
  const { SdpNegotiation } = await import('../sdp-negotiation.ts')
  return new SdpNegotiation(...parts)
}

const isPublished = (
  registry: ControlParts['registry'],
  { sessionId }: ParticipantRef,
  publicationId: string,
): boolean =>
  registry
    .state(sessionId)
    ?.state.publications.some(({ publication_id }) => publication_id === publicationId) ?? false

export const receive: MemberHandler<'media.receive'> = async (
  { media },
  { participant, sender },
  { body, target },
) => {
  const { sdp } = findMembership(sender, target) ?? {}
  const capabilities = body.sdp === undefined ? body.rtp_capabilities : sdp?.readCapabilities(body.sdp)
  ensure(capabilities && (body.sdp === undefined) === (sdp === undefined), 'unsupported_media_format')
  await media.setRtpCapabilities(participant, body.endpoint_id, capabilities)
  return {}
}

export const restartIce: MemberHandler<'media.restart_ice'> = async (
  { media },
  { participant, sender },
  { body, target },
) => {
  // Descriptions contain ICE: such a client opens another endpoint.
  ensure(!findMembership(sender, target)?.sdp, 'unsupported_media_format')
  return withData(presentIceRestart(await media.restartIce(participant, body.endpoint_id)))
}

export const close: MemberHandler<'media.close'> = async ({ media }, { participant }, { body }) => {
  await media.close(participant, body.publication_id)
  return {}
}

export const pause: MemberHandler<'media.pause'> = async ({ media }, { participant }, { body }) => {
  await media.pause(participant, body.publication_id)
  return {}
}

export const resume: MemberHandler<'media.resume'> = async (
  { participants, media },
  { participant },
  { body },
) => {
  participants.assertMayResume(participant, body.publication_id)
  await media.resume(participant, body.publication_id)
  return {}
}

export const setLayers: MemberHandler<'media.set_layers'> = async ({ media }, { participant }, { body }) => {
  await media.setLayers(participant, body.publication_id, body.shown)
  return {}
}

export const openEgress: MemberHandler<'media.tap'> = async ({ media }, { participant }, { body }) =>
  withData(presentEgress(await media.openEgress(participant, toEgressOptions(body))))

export const requestKeyFrame: MemberHandler<'media.request_key_frame'> = async (
  { media },
  { participant },
  { body },
) => {
  await media.requestKeyFrame(participant, body.publication_id)
  return {}
}

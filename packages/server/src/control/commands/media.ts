import type { JsonObject } from '@lectern/protocol/control'
import {
  presentEgress,
  presentEndpoint,
  presentIceRestart,
  presentIceServers,
  toEgressOptions,
} from '../media-mapping.ts'
import type { MemberHandler } from './command.ts'

/** Media commands in the types of the media server. Negotiations are in v2/media-negotiation.ts. */

const withData = (data: object) => ({ data: data as JsonObject })

export const open: MemberHandler<'media.open'> = async (
  { media, turnAccess },
  { participant, sender },
  { body },
) => {
  const endpoint = await media.openEndpoint(participant, { tcpOnly: body.tcp_only, region: sender.region })
  return withData({ ...presentEndpoint(endpoint), ...presentIceServers(turnAccess(sender.login.user.id)) })
}

export const receive: MemberHandler<'media.receive'> = async ({ media }, { participant }, { body }) => {
  await media.setRtpCapabilities(participant, body.endpoint_id, body.rtp_capabilities)
  return {}
}

export const restartIce: MemberHandler<'media.restart_ice'> = async ({ media }, { participant }, { body }) =>
  withData(presentIceRestart(await media.restartIce(participant, body.endpoint_id)))

export const close: MemberHandler<'media.close'> = async ({ media }, { participant }, { body }) => {
  await media.close(participant, body.publication_id)
  return {}
}

export const pause: MemberHandler<'media.pause'> = async ({ media }, { participant }, { body }) => {
  await media.pause(participant, body.publication_id)
  return {}
}

export const resume: MemberHandler<'media.resume'> = async (
  { conferences, media },
  { participant },
  { body },
) => {
  conferences.assertMayResume(participant, body.publication_id)
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

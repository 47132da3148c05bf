import type {
  CommandBody,
  CommandData,
  MediaRef,
  MediaRoute,
  MediaTransport,
  Publication as PublicationBody,
  PublishOffer as PublishOfferBody,
  SubscribeAnswer as SubscribeAnswerBody,
  SubscribeOffer as SubscribeOfferBody,
} from '@lectern/protocol/control'
import type {
  EgressDescription,
  EgressOptions,
  EndpointDescription,
  IceRestart,
  MovedRoute,
  Negotiation,
  ParticipantRef,
  Publication,
  PublishOffer,
  RoomDescription,
  RouteDescription,
  SubscribeAnswer,
  SubscribeOffer,
  TransportDescription,
  TurnAccess,
} from '../media/ports.ts'
import type { RunningMedia } from '../sessions/ports.ts'

/** Maps the media server's types to the control protocol and back. */

export function toNegotiation(ref: MediaRef): Negotiation {
  const [kind, subscribe] = ref.scope.split('-') as ['audio' | 'video', 'subscribe' | undefined]
  return {
    id: ref.negotiation_id,
    publicationId: ref.publication_id,
    endpointId: ref.endpoint_id,
    workerId: ref.rtc_node_id,
    routeGeneration: ref.route_generation,
    kind,
    direction: subscribe ?? 'publish',
  }
}

export function presentNegotiation(
  { sessionId, participantId }: ParticipantRef,
  negotiation: Negotiation,
): MediaRef {
  const { id, publicationId, endpointId, workerId, routeGeneration, kind, direction } = negotiation
  return {
    conference_session_id: String(sessionId),
    participant_instance_id: participantId,
    publication_id: publicationId,
    endpoint_id: endpointId,
    negotiation_id: id,
    rtc_node_id: workerId,
    route_generation: routeGeneration,
    scope: direction === 'publish' ? kind : `${kind}-subscribe`,
  }
}

const presentRoute = ({ workerId, routeGeneration }: RouteDescription) => ({
  rtc_node_id: workerId,
  route_generation: routeGeneration,
})

export const presentMovedRoute = ({ workerIds, ...route }: MovedRoute): MediaRoute => ({
  ...presentRoute(route),
  ...(workerIds && { rtc_node_ids: workerIds }),
})

type IceServers = Pick<CommandData<'media.open'>, 'ice_servers' | 'ice_servers_ttl_ms'>
type Endpoint = Omit<CommandData<'media.open'>, keyof IceServers>

export const presentEndpoint = (endpoint: EndpointDescription): Endpoint => ({
  endpoint_id: endpoint.endpointId,
  ...presentRoute(endpoint),
  router_rtp_capabilities: endpoint.routerRtpCapabilities,
  send: presentTransport(endpoint.send),
  receive: presentTransport(endpoint.receive),
})

export const presentIceServers = (access: TurnAccess | null): IceServers =>
  access ? { ice_servers: access.servers, ice_servers_ttl_ms: access.ttlMs } : { ice_servers: [] }

const presentTransport = (transport: TransportDescription): MediaTransport => ({
  id: transport.id,
  ice_parameters: transport.iceParameters,
  ice_candidates: transport.iceCandidates,
  dtls_parameters: transport.dtlsParameters,
})

export const presentIceRestart = ({ send, receive }: IceRestart): CommandData<'media.restart_ice'> => ({
  send: { ice_parameters: send.iceParameters },
  receive: { ice_parameters: receive.iceParameters },
})

export const toEgressOptions = ({ kinds, ip, port, srtp }: CommandBody<'media.tap'>): EgressOptions => ({
  kinds,
  ip,
  port,
  ...(srtp && { srtp: { cryptoSuite: srtp.crypto_suite, keyBase64: srtp.key_base64 } }),
})

export const presentEgress = ({ srtp, ...egress }: EgressDescription): CommandData<'media.tap'> => ({
  endpoint_id: egress.endpointId,
  ...presentRoute(egress),
  ...(srtp && { srtp: { crypto_suite: srtp.cryptoSuite, key_base64: srtp.keyBase64 } }),
})

export const toPublishOffer = (body: PublishOfferBody): PublishOffer => ({
  source: body.source,
  paused: body.paused,
  rtpParameters: body.rtp_parameters,
  dtlsParameters: body.dtls_parameters,
})

export const presentOffer = (offer: SubscribeOffer): SubscribeOfferBody => ({
  format: 'ortc',
  consumer_id: offer.consumerId,
  kind: offer.kind,
  source: offer.source,
  participant_id: offer.participantId,
  rtp_parameters: offer.rtpParameters,
})

export const toSubscribeAnswer = ({ dtls_parameters }: SubscribeAnswerBody): SubscribeAnswer => ({
  dtlsParameters: dtls_parameters,
})

export const presentPublication = (publication: Publication): PublicationBody => ({
  publication_id: publication.publicationId,
  participant_id: publication.participantId,
  source: publication.source,
  paused: publication.paused,
})

/** Endpoints on any worker of the room live on, however old they are. */
export const presentRoom = ({ route, members, publications }: RoomDescription): RunningMedia => ({
  route: route && presentMovedRoute({ workerIds: [route.workerId], ...route }),
  memberIds: members.map(({ participantId }) => participantId),
  publications: publications.map(presentPublication),
})

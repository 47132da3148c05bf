import { encodeFrame, type JsonObject, type MediaRef } from '@lectern/protocol/control'
import { describe, expect, it } from 'vitest'
import { toNegotiation } from '../media-mapping.ts'
import { createHarness, TAG } from '../testing/control-harness.ts'
import type { RawClient } from '../testing/raw-client.ts'
import { encodeTail } from '../v2/envelopes.ts'

const both = async () => {
  const harness = await createHarness()
  const [anna, ben] = [await harness.enter('anna', 'moderator'), await harness.enter('ben')]
  for (const client of [anna, ben]) client.socket.received.length = 0
  return { harness, anna, ben }
}

const refOf = (client: RawClient, changes: Partial<MediaRef> = {}): MediaRef => ({
  conference_session_id: client.sessionId,
  participant_instance_id: client.participantId,
  publication_id: 'p',
  endpoint_id: 'e',
  negotiation_id: 'n',
  rtc_node_id: 'r',
  route_generation: '1',
  scope: 'audio',
  ...changes,
})

const OFFER = { format: 'ortc', source: 'microphone', paused: false, rtp_parameters: {} }

async function negotiate(client: RawClient, body: JsonObject, media = refOf(client), name = 'webrtc_offer') {
  await client.send(
    encodeFrame({ control_media: { binding: client.binding, media, name: name as never, body } }),
  )
  return client.take('control_media')
}

describe('media', () => {
  it('G1 opens for participants, with the ICE servers of a browser', async () => {
    const { harness, anna } = await both()
    const place = { sessionId: Number(anna.sessionId), participantId: anna.participantId }
    expect(await anna.command('media.open', { tcp_only: true })).toMatchObject({
      status: 'applied',
      data: { endpoint_id: 'e', ice_servers: [{ username: '1' }] },
    })
    await anna.command('media.receive', { endpoint_id: 'e', rtp_capabilities: { codecs: [] } })
    await anna.command('media.restart_ice', { endpoint_id: 'e' })
    await anna.command('media.pause', { publication_id: 'p' })
    await anna.command('media.resume', { publication_id: 'p' })
    await anna.command('media.set_layers', { publication_id: 'q', shown: { width: 640, height: 360 } })
    await anna.command('media.close', {})
    expect(harness.media.calls).toEqual([
      ['openEndpoint', place, { tcpOnly: true }],
      ['setRtpCapabilities', place, 'e', { codecs: [] }],
      ['restartIce', place, 'e'],
      ['pause', place, 'p'],
      ['resume', place, 'p'],
      ['setLayers', place, 'q', { width: 640, height: 360 }],
      ['close', place, undefined],
    ])
    const outsider = await harness.connect('carl')
    outsider.sessionId = anna.sessionId
    expect(await outsider.command('media.open', {})).toMatchObject({ error: { code: 'permission_denied' } })
  })

  const VP8 = { kind: 'video', mimeType: 'video/VP8', clockRate: 90_000, parameters: {}, rtcpFeedback: [] }
  const routerRtpCapabilities = { codecs: [{ ...VP8, preferredPayloadType: 101 }], headerExtensions: [] }
  /** A client that knows no router. */
  const rtp_capabilities = { codecs: [{ ...VP8, preferredPayloadType: 96 }], headerExtensions: [] }
  const joinWithMedia = (client: RawClient, media: JsonObject) =>
    client.command('conference.join', { media }, { kind: 'conference', id: TAG })

  it('G15 opens with the join and receives in the payload types of the router', async () => {
    const { harness } = await both()
    harness.media.routerRtpCapabilities = routerRtpCapabilities
    const carl = await harness.connect('carl')
    const { data } = await joinWithMedia(carl, { rtp_capabilities, tcp_only: true })
    expect(data).toMatchObject({
      participant_id: expect.any(String),
      media: { endpoint_id: 'e', rtc_node_id: 'n', send: { id: 'send' }, ice_servers: [{}] },
    })
    const place = { sessionId: Number(data?.conference_session_id), participantId: data?.participant_id }
    expect(harness.media.calls).toMatchObject([
      ['openEndpoint', place, { tcpOnly: true }],
      ['setRtpCapabilities', place, 'e', { codecs: [{ mimeType: 'video/VP8', preferredPayloadType: 101 }] }],
    ])
  })

  it('G15 joins without an endpoint when media fails or the capabilities are malformed', async () => {
    const { harness } = await both()
    harness.media.routerRtpCapabilities = routerRtpCapabilities
    const [carl, dora] = [await harness.connect('carl'), await harness.connect('dora')]
    const malformed = await joinWithMedia(carl, { rtp_capabilities: { codecs: 'all' } })
    expect(malformed).toMatchObject({ status: 'applied', data: { participant_id: expect.any(String) } })
    expect(malformed.data).not.toHaveProperty('media')
    harness.media.refuse()
    const refused = await joinWithMedia(dora, { rtp_capabilities })
    expect(refused).toMatchObject({ status: 'applied', data: { participant_id: expect.any(String) } })
    expect(refused.data).not.toHaveProperty('media')
  })

  it('G15 opens nothing for somebody who has left while joining', async () => {
    const { harness } = await both()
    const carl = await harness.connect('carl')
    await Promise.all([joinWithMedia(carl, { rtp_capabilities }), carl.drop(1001)])
    expect(harness.conferences.size.participants).toBe(2)
    expect(harness.media.calls).toEqual([])
  })

  it('G1 answers every offer, also a refused one', async () => {
    const { harness, ben } = await both()
    expect(await negotiate(ben, OFFER)).toMatchObject([
      { name: 'webrtc_answer', media: refOf(ben), body: { format: 'ortc', publication_id: 'p' } },
    ])
    const errors = async (body: JsonObject, media?: MediaRef) =>
      (await negotiate(ben, body, media)).map(({ body }) => (body.error as JsonObject).code)
    expect(await errors({ format: 'sdp', sdp: 'v=0' })).toEqual(['unsupported_feature'])
    expect(await errors({ ...OFFER, source: 'eye' })).toEqual(['invalid_argument'])
    harness.media.refuse()
    expect(await errors(OFFER)).toEqual(['resource_exhausted'])
    harness.media.refusal = new TypeError('a bug')
    expect(await errors(OFFER)).toEqual(['outcome_unknown'])
  })

  it('G2 sends offers of the server to one participant', async () => {
    const { harness, anna, ben } = await both()
    const ref = refOf(ben, { scope: 'audio-subscribe' })
    const offer = encodeTail({ media: ref, name: 'webrtc_offer', body: { format: 'ortc' } })
    harness.streams.sessions.send(Number(ben.sessionId), ben.participantId, offer)
    expect(ben.take('control_media')).toMatchObject([
      { binding: ben.binding, media: ref, name: 'webrtc_offer' },
    ])
    expect(anna.take('control_media')).toEqual([])
    expect(await negotiate(ben, { format: 'ortc' }, ref, 'webrtc_answer')).toEqual([])
    expect(await negotiate(ben, { nonsense: 1 }, ref, 'webrtc_answer')).toEqual([])
    expect(harness.media.calls).toMatchObject([
      ['answer', {}, toNegotiation(ref), {}],
      ['answer', {}, toNegotiation(ref), { error: { code: 'invalid_argument' } }],
    ])
  })

  it('G4 is refused for another participant and for an older generation', async () => {
    const { harness, anna, ben } = await both()
    const codes = async (media: MediaRef) =>
      (await negotiate(ben, OFFER, media)).map(({ body }) => (body.error as JsonObject).code)
    expect(await codes(refOf(anna))).toEqual(['permission_denied'])
    expect(await codes(refOf(ben, { conference_session_id: '99' }))).toEqual(['permission_denied'])
    ben.binding = { ...ben.binding, binding_generation: '7' }
    expect(await codes(refOf(ben))).toEqual(['stale_binding'])
    await negotiate(ben, { format: 'ortc' }, refOf(ben), 'webrtc_answer')
    expect(harness.media.calls).toEqual([])
  })
})

describe('media events', () => {
  it('P1 is part of the state and sent to everybody', async () => {
    const { harness, anna, ben } = await both()
    const sessionId = Number(ben.sessionId)
    const publication = {
      publication_id: 'p',
      participant_id: ben.participantId,
      source: 'camera' as const,
      paused: false,
    }
    const state = () => harness.registry.state(sessionId)?.state
    harness.reports.applyMediaEvent(sessionId, {
      name: 'publication.added',
      body: { publication },
    })
    expect(state()?.publications).toEqual([publication])
    const changed = { ...publication, paused: true }
    harness.reports.applyMediaEvent(sessionId, {
      name: 'publication.changed',
      body: { publication: changed },
    })
    expect(state()?.publications).toEqual([changed])
    const gone = { publication_id: 'p', participant_id: ben.participantId }
    harness.reports.applyMediaEvent(sessionId, { name: 'publication.removed', body: gone })
    harness.reports.applyMediaEvent(sessionId, { name: 'publication.removed', body: gone })
    expect(state()?.publications).toEqual([])
    expect(anna.eventNames()).toEqual(['publication.added', 'publication.changed', 'publication.removed'])
  })

  it('P5 counts as changed when it is reported again', async () => {
    const { harness, anna, ben } = await both()
    const sessionId = Number(ben.sessionId)
    const { participantId: participant_id } = ben
    const publication = { publication_id: 'p', participant_id, source: 'camera' as const, paused: false }
    harness.reports.applyMediaEvent(sessionId, {
      name: 'publication.added',
      body: { publication },
    })
    const again = { ...publication, paused: true }
    harness.reports.applyMediaEvent(sessionId, {
      name: 'publication.added',
      body: { publication: again },
    })
    expect(harness.registry.state(sessionId)?.state.publications).toEqual([again])
    expect(anna.eventNames()).toEqual(['publication.added', 'publication.changed'])
  })

  it('P5 counts as added when the report of its beginning was lost', async () => {
    const { harness, anna, ben } = await both()
    const { participantId: participant_id, sessionId } = ben
    const publication = { publication_id: 'p', participant_id, source: 'camera' as const, paused: false }
    harness.reports.applyMediaEvent(Number(sessionId), { name: 'publication.changed', body: { publication } })
    expect(anna.events()).toMatchObject([{ name: 'publication.added', body: { publication } }])
  })

  it('P2 and P3 ends with the participant', async () => {
    const { harness, anna, ben } = await both()
    const sessionId = Number(ben.sessionId)
    const { participantId: participant_id } = ben
    const publication = { publication_id: 'p', participant_id, source: 'camera' as const, paused: false }
    harness.reports.applyMediaEvent(sessionId, {
      name: 'publication.added',
      body: { publication },
    })
    await ben.drop(1000)
    harness.reports.applyMediaEvent(sessionId, {
      name: 'publication.added',
      body: { publication },
    })
    expect(harness.registry.state(sessionId)?.state.publications).toEqual([])
    expect(anna.eventNames()).toEqual(['publication.added', 'participant.left'])
  })

  it('P4 includes the media worker that serves the session', async () => {
    const { harness, anna } = await both()
    const route = { rtc_node_id: 'n2', route_generation: '7' }
    harness.reports.applyMediaEvent(Number(anna.sessionId), { name: 'media.moved', body: route })
    expect(anna.events()).toMatchObject([{ name: 'media.moved', body: route }])
    expect(harness.registry.state(Number(anna.sessionId))?.state.media).toEqual(route)
  })
})

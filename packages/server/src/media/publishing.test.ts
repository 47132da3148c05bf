import { mediaData, SubscribeOffer } from '@lectern/protocol/control'
import { Compile } from 'typebox/compile'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { PUBLICATIONS_MAX } from './publishing.ts'
import { eventually, House } from './testing/house.ts'
import { av1, h264, opus, vp8, vp9 } from './testing/rtp.ts'

vi.setConfig({ testTimeout: 30_000 }) // processes come and go here

let house: House
beforeAll(async () => {
  house = await House.open({ republishWithinMs: 1000 })
})
afterAll(() => house.sfu.stop())
afterEach(() => {
  house.sfu.closeRoom(1)
  house.told.length = 0
  house.offers.clear()
})

const opened = Compile(mediaData['media.open'])
const offered = Compile(SubscribeOffer)

describe('publishing', () => {
  it('opens an endpoint in the words of the protocol', async () => {
    const endpoint = await house.guest('anna').open()
    expect(opened.Check({ ...endpoint, ice_servers: [] })).toBe(true)
    const protocols = endpoint.send.ice_candidates.map(({ protocol }) => protocol)
    expect(protocols.sort()).toEqual(['tcp', 'udp'])
    const codecs = endpoint.router_rtp_capabilities.codecs as { mimeType: string }[]
    expect(codecs.map(({ mimeType }) => mimeType).filter(type => type !== 'video/rtx')).toEqual([
      'audio/opus',
      'video/VP8',
      'video/VP9',
      'video/H264',
      'video/H264',
      'video/AV1',
    ])
    expect(codecs[0]).toMatchObject({ parameters: { useinbandfec: 1, usedtx: 1 } })
    const video = JSON.stringify(codecs[1])
    for (const feedback of ['"nack"', '"pli"', '"transport-cc"']) expect(video).toContain(feedback)
  })

  it('gives TCP alone to whoever asks for it', async () => {
    const endpoint = await house.guest('anna').open({ tcp_only: true })
    for (const { ice_candidates } of [endpoint.send, endpoint.receive])
      expect(ice_candidates).toMatchObject([{ protocol: 'tcp', tcpType: 'passive' }])
  })

  it('restarts ICE with new parameters for both directions', async () => {
    const anna = house.guest('anna')
    const { endpoint_id, send, receive } = await anna.open()
    const restarted = await house.sfu.restartIce(anna.seat, endpoint_id)
    expect(restarted.send.ice_parameters).not.toEqual(send.ice_parameters)
    expect(restarted.receive.ice_parameters).not.toEqual(receive.ice_parameters)
    await expect(house.sfu.restartIce(anna.seat, 'other')).rejects.toMatchObject({ reason: 'gone' })
  })

  it("accepts Firefox's CNAME, a UUID in braces", async () => {
    const anna = await house.guest('anna').enter()
    const parameters = {
      ...vp8(),
      rtcp: { cname: '{6e5a1f0c-1f3b-4a6e-9d0a-5f4b7c1e2d3a}', reducedSize: true },
    }
    await anna.publish('p-1', 'camera', { parameters })
    expect(house.of('published')).toHaveLength(1)
  })

  it('offers a publication to all others, and not back to its sender', async () => {
    const [anna, ben, cleo] = await Promise.all(['anna', 'ben', 'cleo'].map(id => house.guest(id).enter()))
    expect(await anna?.publish('mic-1', 'microphone')).toEqual({ format: 'ortc', publication_id: 'mic-1' })
    await eventually(() => expect([ben?.offers.length, cleo?.offers.length]).toEqual([1, 1]))
    const { ref, offer } = ben?.offers[0] ?? {}
    expect(offered.Check(offer)).toBe(true)
    expect(offer).toMatchObject({ kind: 'audio', source: 'microphone', participant_id: 'anna' })
    expect(ref).toMatchObject({
      conference_session_id: '1',
      participant_instance_id: 'ben',
      publication_id: 'mic-1',
      endpoint_id: ben?.endpoint.endpoint_id,
      scope: 'audio-subscribe',
    })
    expect(anna?.offers).toEqual([])
    const publication = {
      publication_id: 'mic-1',
      participant_id: 'anna',
      source: 'microphone',
      paused: false,
    }
    expect(house.of('published')).toEqual([[1, publication]])
  })

  it('takes every codec of the room, and screens beside cameras', async () => {
    const anna = await house.guest('anna').enter()
    const ben = await house.guest('ben').enter()
    const codecs = { vp8, vp9, h264, h264Baseline: () => h264('42001f'), av1 }
    for (const [id, parameters] of Object.entries(codecs))
      await anna.publish(id, 'screen', { parameters: parameters() })
    await anna.publish('camera', 'camera')
    await anna.publish('sound', 'screen_audio')
    await eventually(() => expect(ben.offers).toHaveLength(7))
  })

  it('keeps to rooms: another session hears nothing', async () => {
    const anna = await house.guest('anna').enter()
    const zoe = await house.guest('zoe', 2).enter()
    await anna.publish('mic-1', 'microphone')
    await house.guest('ben').enter()
    await eventually(() => expect(house.offers.get('ben')).toHaveLength(1))
    expect(zoe.offers).toEqual([])
    house.sfu.closeRoom(2)
  })

  it('pauses and resumes for the sender, and tells it once', async () => {
    const anna = await house.guest('anna').enter()
    await anna.publish('mic-1', 'microphone')
    const producer = [...house.producers].at(-1)
    await house.sfu.pause(anna.seat, 'mic-1')
    await house.sfu.pause(anna.seat, 'mic-1')
    expect(producer?.paused).toBe(true)
    expect(house.of('changed')).toMatchObject([[1, { publication_id: 'mic-1', paused: true }]])
    await house.sfu.resume(anna.seat, 'mic-1')
    expect(producer?.paused).toBe(false)
    expect(house.of('changed')).toHaveLength(2)
  })

  it('lets nobody change what another publishes', async () => {
    const anna = await house.guest('anna').enter()
    const ben = await house.guest('ben').enter()
    await anna.publish('mic-1', 'microphone')
    await expect(house.sfu.pause(ben.seat, 'mic-1')).rejects.toMatchObject({ reason: 'not_yours' })
    expect(() => house.sfu.close(ben.seat, 'mic-1')).toThrow('no such publication')
    await expect(ben.publish('mic-1', 'microphone')).rejects.toMatchObject({ reason: 'id_taken' })
    expect(house.of('unpublished')).toEqual([])
  })

  it('mutes what a participant sends of a kind, until its sender resumes it', async () => {
    const anna = await house.guest('anna').enter()
    await anna.publish('mic-1', 'microphone')
    await anna.publish('cam-1', 'camera')
    house.sfu.mute(1, 'anna', 'audio')
    expect(house.of('changed')).toMatchObject([[1, { publication_id: 'mic-1', paused: true }]])
    await eventually(() =>
      expect([...house.producers].slice(-2).map(({ paused }) => paused)).toEqual([true, false]),
    )
    await house.sfu.resume(anna.seat, 'mic-1')
    expect(house.of('changed')).toHaveLength(2)
  })

  it('ends one publication, and with the endpoint all of them', async () => {
    const anna = await house.guest('anna').enter()
    const ben = await house.guest('ben').enter()
    await anna.publish('mic-1', 'microphone')
    await anna.publish('cam-1', 'camera')
    await eventually(() => expect(ben.offers).toHaveLength(2))
    house.sfu.close(anna.seat, 'mic-1')
    expect(house.of('unpublished')).toEqual([[1, { publication_id: 'mic-1', participant_id: 'anna' }]])
    house.sfu.close(anna.seat)
    expect(house.of('unpublished')).toHaveLength(2)
    expect(ben.offers.map(offer => ben.consumer(offer).closed)).toEqual([true, true])
  })

  it('replaces an endpoint, and keeps what is published again under its id', async () => {
    const anna = await house.guest('anna').enter()
    const ben = await house.guest('ben').enter()
    await anna.publish('mic-1', 'microphone')
    await anna.publish('cam-1', 'camera')
    await eventually(() => expect(ben.offers).toHaveLength(2))
    const stale = anna.ref('mic-1', 'microphone')
    await anna.enter()
    await expect(anna.publish('mic-1', 'microphone', { ref: stale })).rejects.toMatchObject({
      reason: 'gone',
    })
    await anna.publish('mic-1', 'microphone')
    await eventually(() => expect(ben.offers).toHaveLength(3))
    expect(ben.offers[2]?.ref.publication_id).toBe('mic-1')
    await eventually(() =>
      expect(house.of('unpublished')).toEqual([[1, { publication_id: 'cam-1', participant_id: 'anna' }]]),
    )
    expect(house.of('published')).toHaveLength(2)
    expect(house.of('changed')).toEqual([])
  })

  it('keeps muted what was muted while its sender was between endpoints', async () => {
    const anna = await house.guest('anna').enter()
    await anna.publish('mic-1', 'microphone')
    await anna.open()
    house.sfu.mute(1, 'anna', 'audio')
    await anna.publish('mic-1', 'microphone')
    expect([...house.producers].at(-1)?.paused).toBe(true)
    await house.sfu.resume(anna.seat, 'mic-1')
    expect([...house.producers].at(-1)?.paused).toBe(false)
  })

  it('leaves nothing behind when its endpoint is replaced, or its sender goes, meanwhile', async () => {
    const anna = await house.guest('anna').enter()
    const replaced = anna.publish('mic-1', 'microphone')
    await Promise.all([anna.open(), expect(replaced).rejects.toMatchObject({ reason: 'gone' })])
    const left = anna.publish('cam-1', 'camera')
    house.sfu.closeParticipant(1, 'anna')
    await expect(left).rejects.toMatchObject({ reason: 'gone' })
    expect([...house.producers].filter(({ closed }) => !closed)).toEqual([])
    expect(house.of('published')).toEqual([])
  })

  it('gives way to the newest of several attempts to open', async () => {
    const anna = house.guest('anna')
    const attempts = await Promise.allSettled([1, 2, 3].map(() => house.sfu.open(anna.seat)))
    expect(attempts.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled'])
    expect(attempts[0]).toMatchObject({ reason: { reason: 'superseded' } })
  })

  it('refuses what does not belong here', async () => {
    const anna = await house.guest('anna').enter()
    const ref = anna.ref('mic-1', 'camera')
    await expect(anna.publish('mic-1', 'microphone', { ref })).rejects.toMatchObject({
      reason: 'wrong_scope',
    })
    await expect(house.sfu.open({ sessionId: 99, participantId: 'anna' })).rejects.toMatchObject({
      code: 'permission_denied',
    })
    const stranger = { sessionId: 1, participantId: 'nobody' }
    await expect(house.sfu.receive(stranger, 'x', {})).rejects.toMatchObject({ reason: 'gone' })
  })

  it('limits how much one participant publishes', async () => {
    const anna = await house.guest('anna').enter()
    const ids = Array.from({ length: PUBLICATIONS_MAX + 2 }, (_, i) => `mic-${i}`)
    const tries = await Promise.allSettled(
      ids.map(id => anna.publish(id, 'microphone', { parameters: opus() })),
    )
    const refused = tries.filter(({ status }) => status === 'rejected')
    expect(refused).toHaveLength(2)
    expect(refused[0]).toMatchObject({ reason: { code: 'resource_exhausted' } })
  })
})

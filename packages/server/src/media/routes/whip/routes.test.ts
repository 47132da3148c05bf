import type { CommandBody, CommandName } from '@lectern/protocol/control'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ClusterParticipant } from '../../../testing/cluster-participant.ts'
import { expectDocumented } from '../../../testing/documented.ts'
import { enterLink, type Partner } from '../../../testing/partner.ts'
import { refused } from '../../../testing/refused.ts'
import { startTestServer, type TestServer } from '../../../testing/server.ts'
import { playerOffer, publisherOffer } from '../../sdp/testing/offers.ts'

let server: TestServer
let school: Partner
beforeAll(async () => {
  server = await startTestServer({
    Media: { ListenIp: '127.0.0.1' },
    Limits: { Enabled: '0' },
    Conferences: { EmptyGraceSeconds: '1' },
    Integration: { PlainLink: 'open' },
  })
  school = await server.addPartner('school')
})
afterAll(() => server.close())

let rooms = 0
const newRoom = () =>
  school.room(`whip-${++rooms}`, { student: { display_name: 'Camera', external_id: `c${rooms}` } })
const tokenOf = (link: string) => new URL(link).pathname.replace('/j/', '')

interface Sent {
  type?: string
  headers?: Record<string, string>
}

const send = async (
  method: string,
  path: string,
  token: string | null,
  body?: string,
  { type, headers }: Sent = {},
) => {
  const response = await fetch(server.url + path, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': type ?? 'application/sdp' }),
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body !== undefined && { body }),
  })
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  const content = response.clone()
  await expectDocumented(method, path, {
    status: response.status,
    body: isJson ? await content.json() : await content.text(),
  })
  return response
}
const post = (kind: string, tag: string, token: string | null, body: string, sent?: Sent) =>
  send('POST', `/api/v1.0/conferences/${tag}/${kind}`, token, body, sent)
const publish = (tag: string, token: string | null, body = publisherOffer(), sent?: Sent) =>
  post('whip', tag, token, body, sent)
const isLive = async (externalId: string) =>
  (await school.call('GET', `/rooms/${externalId}/status`)).body.live
const locationOf = (response: Response) => response.headers.get('location') ?? ''

const FRAGMENT = { type: 'application/trickle-ice-sdpfrag' }
const CANDIDATES =
  'a=ice-ufrag:x\r\na=ice-pwd:y\r\nm=audio 9 UDP/TLS/RTP/SAVPF 0\r\na=mid:0\r\na=end-of-candidates\r\n'

describe('WHIP', () => {
  it('answers an offer with a session, which a DELETE ends (WHIP-4)', async () => {
    const room = await newRoom()
    const token = tokenOf(room.student_join_url)
    const response = await publish(room.tag, token)
    expect([response.status, response.headers.get('content-type')]).toEqual([201, 'application/sdp'])
    expect(locationOf(response)).toMatch(/^\/api\/v1\.0\/whip\/whip\.[\w-]{15}\.[0-9a-f]{24}$/)
    expect(response.headers.get('etag')).toMatch(/^"[0-9a-f-]{36}"$/)
    const answer = await response.text()
    expect(answer).toMatch(/^v=0\r\n/)
    expect(answer.match(/a=recvonly/g)).toHaveLength(2)
    expect(answer).toContain('a=candidate:')
    expect(await isLive(room.external_id)).toBe(true)

    expect((await send('DELETE', locationOf(response), 'x'.repeat(40))).status).toBe(404)
    expect((await send('DELETE', locationOf(response).replace('/whip/', '/whep/'), token)).status).toBe(404)
    expect((await send('DELETE', locationOf(response), token)).status).toBe(200)
    expect((await send('DELETE', locationOf(response), token)).status).toBe(404)
  })

  it('goes on when the clock of the database is ahead of that of the machine', async () => {
    server.advance(120_000)
    const [room, left] = [await newRoom(), await newRoom()]
    const [token, leftToken] = [tokenOf(room.student_join_url), tokenOf(left.student_join_url)]
    const location = locationOf(await publish(room.tag, token))
    await send('DELETE', locationOf(await publish(left.tag, leftToken)), leftToken)
    // The check of each second has run: the grace time of the other session is over.
    await expect.poll(() => isLive(left.external_id)).toBe(false)
    expect((await send('DELETE', location, token)).status).toBe(200)
  })

  it('ends with the room (WHIP-4)', async () => {
    const room = await newRoom()
    const token = tokenOf(room.student_join_url)
    const location = locationOf(await publish(room.tag, token))
    await school.call('POST', `/rooms/${room.external_id}/close`)
    await expect.poll(async () => (await send('DELETE', location, token)).status).toBe(404)
    expect((await publish(room.tag, token)).status).toBe(403)
  })

  it('accepts a token of the partner, and of nobody else', async () => {
    const room = await newRoom()
    expect((await publish(room.tag, school.token)).status).toBe(201)
    const clinic = await server.addPartner(`clinic-${rooms}`)
    expect((await publish(room.tag, clinic.token)).status).toBe(404)
    const other = await newRoom()
    expect((await publish(other.tag, tokenOf(room.student_join_url))).status).toBe(403)
    expect((await publish(room.tag, null)).status).toBe(401)
    expect((await publish(room.tag, 'x'.repeat(40))).status).toBe(401)
    expect((await publish(room.tag, 'no.such.token')).status).toBe(401)
  })

  it('ends with the secret that the token of the partner was issued with (WHIP-9)', async () => {
    const museum = await server.addPartner('museum')
    const { tag } = await museum.room('hall', { student: { display_name: 'Camera' } })
    const location = locationOf(await publish(tag, museum.token))
    const sent = { ...FRAGMENT, headers: { 'if-match': '"other"' } }
    const touch = async () => (await send('PATCH', location, museum.token, CANDIDATES, sent)).status
    await server.operator.serviceAccounts.rotate('museum')
    expect(await touch()).toBe(412) // it is there
    await server.operator.serviceAccounts.finishRotation('museum')
    await expect.poll(touch).toBe(404)
    expect((await publish(tag, museum.token)).status).toBe(401)
  })

  it('accepts a later token of the same user (WHIP-5)', async () => {
    const room = await newRoom()
    const { body } = await enterLink(server.call, room.student_join_url)
    const location = locationOf(await publish(room.tag, body.access_token))
    expect(location).not.toBe('')
    const stranger = await enterLink(server.call, (await newRoom()).student_join_url)
    expect((await send('DELETE', location, stranger.body.access_token)).status).toBe(404)
    const later = await enterLink(server.call, room.student_join_url)
    expect((await send('DELETE', location, later.body.access_token)).status).toBe(200)
  })

  it('refuses a body that is no offer, and joins nobody', async () => {
    const room = await newRoom()
    const token = tokenOf(room.student_join_url)
    for (const body of [
      'hello',
      'v=0',
      'v=0\r\n'.repeat(3000),
      publisherOffer().replace(/a=fingerprint.*\r\n/g, ''),
    ])
      expect((await publish(room.tag, token, body)).status, body.slice(0, 20)).toBe(400)
    expect(await isLive(room.external_id)).toBe(false)
    for (const body of [
      playerOffer(),
      publisherOffer()
        .replaceAll('VP8', 'X1')
        .replaceAll(/VP9|H264/g, 'X2')
        .replaceAll('opus', 'X3'),
    ])
      expect((await publish(room.tag, token, body)).status).toBe(400)
    expect(await isLive(room.external_id)).toBe(false)
    expect((await publish(room.tag, token, publisherOffer(), { type: 'text/plain' })).status).toBe(415)
    expect((await publish(room.tag, token, publisherOffer(), FRAGMENT)).status).toBe(415)
    expect((await publish(room.tag, token, '{}', { type: 'application/json' })).status).toBe(415)
    expect((await publish(room.tag, token, 'x'.repeat(70_000))).status).toBe(413)
    expect((await send('POST', `/api/v1.0/conferences/${room.tag}/whip`, token)).status).toBe(415)
    const unnamed = `/api/v1.0/conferences/${room.tag}/whip?display_name=`
    expect((await send('POST', unnamed, token, publisherOffer())).status).toBe(400)
  })

  it('refuses an offer of which only a part would work, and names that (WHIP-1)', async () => {
    const room = await newRoom()
    const token = tokenOf(room.student_join_url)
    const high = publisherOffer()
      .replace('SAVPF 96 97 102 103 98 99', 'SAVPF 102')
      .replace('42e01f', '640028')
    const answer = await publish(room.tag, token, high)
    expect({ status: answer.status, body: await answer.json() }).toEqual(
      refused(400, 'invalid_argument', expect.stringMatching(/"1" \(video\).*H264/)),
    )
    const unknown = playerOffer().replaceAll(/(VP8|VP9|H264)\//g, 'X/')
    for (const [kind, sdp] of [
      ['whip', publisherOffer().replace('sendonly', 'recvonly')],
      ['whep', unknown],
    ] as const)
      expect((await post(kind, room.tag, token, sdp)).status).toBe(400)
    expect(await isLive(room.external_id)).toBe(false)
    const loud = publisherOffer().replaceAll('fingerprint:sha-256', 'fingerprint:SHA-256')
    expect((await publish(room.tag, token, loud)).status).toBe(201)
  })

  it('restarts ICE, and needs no candidates (WHIP-3)', async () => {
    const room = await newRoom()
    const token = tokenOf(room.student_join_url)
    const response = await publish(room.tag, token)
    const location = locationOf(response)
    const etag = response.headers.get('etag') ?? ''
    const [, ufrag = ''] = /a=ice-ufrag:(\S+)/.exec(await response.text()) ?? []
    const patch = (match: string | null, body = CANDIDATES, by = token) =>
      send('PATCH', location, by, body, { ...FRAGMENT, headers: match === null ? {} : { 'if-match': match } })
    expect((await patch(etag)).status).toBe(204)
    for (const [match, status, code] of [
      [null, 428, 'precondition_required'],
      ['"other"', 412, 'precondition_failed'],
    ] as const) {
      const answer = await patch(match)
      const body = await answer.json()
      expect({ status: answer.status, body }).toEqual(
        refused(status, code, expect.stringMatching(/If-Match.*ETag/)),
      )
    }
    expect((await patch(`"other", ${etag}`)).status).toBe(204)
    expect((await patch(`W/${etag}`)).status).toBe(412)
    expect((await patch(etag, 'hello')).status).toBe(400)
    expect((await patch(etag, CANDIDATES, school.token)).status).toBe(404)
    expect((await send('PATCH', location, token, CANDIDATES)).status).toBe(415)

    const restarted = await patch('*')
    expect([restarted.status, restarted.headers.get('content-type')]).toEqual([200, FRAGMENT.type])
    const fragment = await restarted.text()
    expect(fragment).toContain('a=candidate:')
    expect(/a=ice-ufrag:(\S+)/.exec(fragment)?.[1]).not.toBe(ufrag)
    expect((await patch(etag)).status).toBe(412)
    expect((await patch(restarted.headers.get('etag') ?? '')).status).toBe(204)
  })

  describe('in a conference with a moderator', () => {
    let owner: string
    let tag: string
    let moderator: ClusterParticipant
    let camera: string
    const signIn = async (login: string) => {
      const { password } = await server.addUser(login)
      const { body } = await server.call('POST', '/api/v1.0/auth/login', { body: { login, password } })
      return body.access_token as string
    }
    beforeAll(async () => {
      owner = await signIn('owner')
      camera = await signIn('camera')
      tag = (await server.call('POST', '/api/v1.0/conferences', { token: owner, body: {} })).body.tag
      moderator = new ClusterParticipant(server, owner, tag)
      await moderator.joined(1)
    })
    afterAll(() => moderator.client.close())

    const session = () => moderator.client.session(moderator.sessions[0] as string).get()
    const isAlone = () => expect.poll(() => session()?.participants.length).toBe(1)
    const command = <N extends CommandName>(name: N, body: CommandBody<N>) =>
      moderator.client.command(name, { kind: 'conference', id: tag }, body)

    it('refuses what is not permitted, and nobody has joined then (WHIP-6)', async () => {
      await command('conference.set_permissions', { camera: false })
      const refusal = await publish(tag, camera)
      expect({ status: refusal.status, body: await refusal.json() }).toEqual(
        refused(403, 'permission_denied'),
      )
      await isAlone()
      await command('conference.set_permissions', { camera: true })
    })

    it('publishes nothing again that a moderator has muted, until it is published anew (WHIP-6)', async () => {
      const location = locationOf(await publish(tag, camera))
      const publications = () =>
        session()
          ?.publications.map(({ source, paused }) => [source, paused])
          .sort()
      const open = [
        ['camera', false],
        ['microphone', false],
      ]
      await expect.poll(publications).toEqual(open)
      await command('conference.set_permissions', { camera: false })
      const muted = [
        ['camera', true],
        ['microphone', false],
      ]
      await expect.poll(publications).toEqual(muted)
      await command('conference.set_permissions', { camera: true })
      await send('PATCH', location, camera, CANDIDATES, { ...FRAGMENT, headers: { 'if-match': '*' } })
      expect(publications()).toEqual(muted)
      await send('DELETE', location, camera)
      await isAlone()
      await send('DELETE', locationOf(await publish(tag, camera)), camera)
      await isAlone()
    })

    it('refuses whoever would have to wait in a lobby (WHIP-7)', async () => {
      const change = { token: owner, body: { entry: 'lobby' } }
      expect((await server.call('PATCH', `/api/v1.0/conferences/${tag}`, change)).status).toBe(200)
      const visitor = await signIn('visitor')
      for (const answer of [await publish(tag, visitor), await post('whep', tag, visitor, playerOffer())])
        expect({ status: answer.status, body: await answer.json() }).toEqual(
          refused(403, 'permission_denied'),
        )
      expect([session()?.participants.length, session()?.lobby]).toEqual([1, []])
    })
  })

  it('answers other methods, and pages of other origins', async () => {
    const room = await newRoom()
    const url = `/api/v1.0/conferences/${room.tag}/whip`
    expect(await server.call('GET', url)).toEqual(refused(405, 'method_not_allowed'))
    expect(await server.call('PUT', '/api/v1.0/whip/x')).toEqual(refused(405, 'method_not_allowed'))
    const preflight = await fetch(server.url + url, { method: 'OPTIONS' })
    const { status, headers } = preflight
    expect([status, headers.get('access-control-allow-origin'), headers.get('accept-post')]).toEqual([
      204,
      '*',
      'application/sdp',
    ])
    const refusal = await publish(room.tag, null)
    expect(refusal.headers.get('access-control-allow-origin')).toBe('*')
  })
})

describe('WHEP', () => {
  it('answers an offer to receive in the payload types of the client', async () => {
    const room = await newRoom()
    const token = tokenOf(room.student_join_url)
    const response = await post('whep', room.tag, token, playerOffer())
    expect(response.status).toBe(201)
    const answer = await response.text()
    expect(answer.match(/^m=.*$/gm)?.map(line => line.trim())).toEqual([
      'm=audio 7 UDP/TLS/RTP/SAVPF 111',
      'm=video 7 UDP/TLS/RTP/SAVPF 96 102 98',
    ])
    expect(answer.match(/a=sendonly/g)).toHaveLength(2)
    expect(locationOf(response)).toMatch(/^\/api\/v1\.0\/whep\/whep\./)
    expect(await isLive(room.external_id)).toBe(true)
    const patched = await send('PATCH', locationOf(response), token, CANDIDATES, {
      ...FRAGMENT,
      headers: { 'if-match': '*' },
    })
    expect(patched.status).toBe(200)
    expect((await send('DELETE', locationOf(response), token)).status).toBe(200)
  })

  it('refuses a body that is no offer to receive', async () => {
    const room = await newRoom()
    const token = tokenOf(room.student_join_url)
    expect((await post('whep', room.tag, token, publisherOffer())).status).toBe(400)
    expect((await post('whep', `${room.tag}`, null, playerOffer())).status).toBe(401)
    for (const query of ['?user_id=x', '?user_id=0', '?video=both'])
      expect(
        (await send('POST', `/api/v1.0/conferences/${room.tag}/whep${query}`, token, playerOffer())).status,
      ).toBe(400)
    expect(await isLive(room.external_id)).toBe(false)
  })
})

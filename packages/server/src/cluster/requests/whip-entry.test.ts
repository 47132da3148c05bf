import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { playerOffer, publisherOffer } from '../../media/sdp/testing/offers.ts'
import type { ClusterServer } from '../../testing/cluster.ts'
import { refused } from '../../testing/refused.ts'
import { useTwoServers } from '../testing/use-two-servers.ts'
import { waitFor } from '../testing.ts'

const SDP = { 'content-type': 'application/sdp' }
const FRAGMENT = { 'content-type': 'application/trickle-ice-sdpfrag' }
const CANDIDATES =
  'a=ice-ufrag:x\r\na=ice-pwd:y\r\nm=audio 9 UDP/TLS/RTP/SAVPF 0\r\na=mid:0\r\na=end-of-candidates\r\n'

describe('WHIP and WHEP at two servers', () => {
  const { servers, addPerson, createConference, join } = useTwoServers()

  /** A conference whose session runs on the server, with its owner inside. */
  async function begin(server: ClusterServer) {
    const token = await addPerson('anna')
    const tag = await createConference(token)
    const anna = join(server, token, tag)
    await anna.joined(1)
    const view = () => anna.client.session(String(anna.sessions[0])).get()
    await waitFor(view, 'the state')
    return { tag, view }
  }

  const post = (server: ClusterServer, kind: string, tag: string, token: string, raw: string) =>
    server.call('POST', `/api/v1.0/conferences/${tag}/${kind}`, { token, raw, headers: SDP })

  /** Repeats the request as a client does while no server has taken the session over yet. */
  async function repeat(request: () => ReturnType<typeof post>) {
    for (;;) {
      const response = await request()
      if (response.status !== 503) return response
      await sleep(Number(response.headers['retry-after']) * 1000)
    }
  }

  it('WHIP-8 join at any server, and are controlled at any server', async () => {
    const { a, b } = servers()
    const { tag, view } = await begin(a)
    const camera = await addPerson('camera')
    const query = 'whip?display_name=OBS'
    const created = await post(b, query, tag, camera, publisherOffer())
    expect(created).toMatchObject({ status: 201, headers: { 'content-type': 'application/sdp' } })
    expect(created.body).toContain('a=candidate:')
    await waitFor(() => view()?.publications.length === 2, 'microphone and camera')
    expect(view()?.participants.map(each => each.display_name)).toContain('OBS')

    const { location = '', etag = '' } = created.headers
    const patch = (server: ClusterServer, match: string) =>
      server.call('PATCH', location, {
        token: camera,
        raw: CANDIDATES,
        headers: { ...FRAGMENT, 'if-match': match },
      })
    expect((await patch(b, etag)).status).toBe(204)
    const restarted = await patch(b, '*')
    expect(restarted).toMatchObject({ status: 200, headers: FRAGMENT })
    expect((await patch(a, etag)).status).toBe(412)
    expect((await patch(a, restarted.headers.etag ?? '')).status).toBe(204)

    const stranger = await addPerson('eve')
    expect(await b.call('DELETE', location, { token: stranger })).toMatchObject(refused(404, 'not_found'))
    expect((await b.call('DELETE', location, { token: camera })).status).toBe(200)
    await waitFor(() => view()?.publications.length === 0, 'it has left')
    expect((await b.call('DELETE', location, { token: camera })).status).toBe(404)
  })

  it('WHIP-8 are refused at any server with the reason of the one that runs the session', async () => {
    const { a, b } = servers()
    const { tag } = await begin(a)
    const camera = await addPerson('camera')
    expect((await post(b, 'whip', tag, camera, playerOffer())).status).toBe(400)
    expect((await post(b, 'whip', tag, 'x'.repeat(40), publisherOffer())).status).toBe(401)
    const options = { token: camera, body: {} }
    expect((await b.call('POST', `/api/v1.0/conferences/${tag}/whip`, options)).status).toBe(415)
    expect((await b.call('DELETE', `/api/v1.0/whip/whip.${tag}.x`, { token: camera })).status).toBe(404)
  })

  it('WHIP-8 join at the next server when their session has moved, and know nothing of the former one', async () => {
    const { a, b } = servers()
    const { tag } = await begin(a)
    const monitor = await addPerson('monitor')
    const created = await post(b, 'whep', tag, monitor, playerOffer())
    expect(created.status).toBe(201)
    await a.stop()
    try {
      const again = await repeat(() => post(b, 'whep', tag, monitor, playerOffer()))
      expect(again.status).toBe(201)
      expect((await b.call('DELETE', created.headers.location ?? '', { token: monitor })).status).toBe(404)
      expect((await b.call('DELETE', again.headers.location ?? '', { token: monitor })).status).toBe(200)
    } finally {
      await a.start()
    }
  })
})

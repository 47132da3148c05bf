import type { CommandData, JsonObject, MediaRef } from '@lectern/protocol/control'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { dtlsParameters, opus } from '../../media/testing/rtp.ts'
import { type ClusterServer, startTestCluster, type TestCluster } from '../../testing/cluster.ts'
import { ClusterParticipant } from '../../testing/cluster-participant.ts'
import { isRunBy, openDraining } from '../../testing/draining.ts'
import { startTcpProxy } from '../../testing/tcp-proxy.ts'
import { waitFor } from '../testing.ts'

/** Discard: nobody listens there. */
const NO_PORT = 9

type Endpoint = CommandData<'media.open'>

class Participant extends ClusterParticipant {
  get id(): string {
    return this.joins[0]?.participant_id ?? ''
  }

  get target() {
    return { kind: 'conference_session', id: this.joins[0]?.conference_session_id ?? '' } as const
  }

  get view() {
    return this.client.session(this.target.id).get()
  }

  presenceOf = ({ id }: Participant) =>
    this.view?.participants.find(({ participant_id }) => participant_id === id)?.presence ?? 'gone'

  open = () => this.client.command('media.open', this.target, {})

  /** Offers a microphone; resolves with the answer. */
  async publish({ endpoint_id, rtc_node_id, route_generation }: Endpoint): Promise<JsonObject> {
    const media: MediaRef = {
      conference_session_id: this.target.id,
      participant_instance_id: this.id,
      publication_id: `mic-${this.id}`,
      endpoint_id,
      negotiation_id: `n-${this.id}`,
      rtc_node_id,
      route_generation,
      scope: 'audio',
    }
    const body = {
      format: 'ortc',
      source: 'microphone',
      paused: false,
      rtp_parameters: opus(),
      dtls_parameters: dtlsParameters,
    }
    return new Promise(resolve => {
      const stop = this.client.onMedia(message => {
        if (message.name !== 'webrtc_answer' || message.media.negotiation_id !== media.negotiation_id) return
        stop()
        resolve(message.body)
      })
      this.client.sendMedia(media, 'webrtc_offer', body)
    })
  }
}

/** An address in front of the servers, which leads to one of them at a time; null: to none. */
async function openEntry(server: ClusterServer) {
  let port = Number(new URL(server.url).port)
  const proxy = await startTcpProxy(() => port)
  return {
    url: `http://127.0.0.1:${proxy.port}`,
    /** Connections that are open end. */
    leadTo: (next: ClusterServer | null) => {
      port = next ? Number(new URL(next.url).port) : NO_PORT
      proxy.mend()
    },
    close: proxy.close,
  }
}

describe('two servers with a media node', () => {
  let cluster: TestCluster
  let [a, b] = [] as unknown as [ClusterServer, ClusterServer]
  let count = 0
  const participants: Participant[] = []

  beforeAll(async () => {
    cluster = await startTestCluster(['a', 'b'], {}, { hasMediaNode: true })
    ;[a, b] = cluster.servers as [ClusterServer, ClusterServer]
  })
  afterEach(() => {
    for (const { client } of participants.splice(0)) client.close()
  })
  afterAll(() => cluster?.close())

  async function addPerson(name: string): Promise<string> {
    const { login, password } = await cluster.addUser(`${name}${++count}`)
    const { body } = await b.call('POST', '/api/v1.0/auth/login', { body: { login, password } })
    return String(body.access_token)
  }

  async function enter(server: Pick<ClusterServer, 'url'>, token: string, tag: string): Promise<Participant> {
    const participant = new Participant(server, token, tag)
    participants.push(participant)
    await participant.joined(1)
    await waitFor(() => participant.view, 'the state')
    return participant
  }

  async function createConference(token: string): Promise<string> {
    const created = await b.call('POST', '/api/v1.0/conferences', { token, body: { title: 'Round' } })
    return String(created.body.tag)
  }

  it('Y13 LEASE-6 resume connections at a server that had them before, when their session returns to it', async () => {
    const [anna, ben, cara] = [await addPerson('anna'), await addPerson('ben'), await addPerson('cara')]
    const tag = await createConference(anna)
    const entry = await openEntry(a)
    const draining = await openDraining(cluster)
    try {
      const [first, second] = [await enter(entry, anna, tag), await enter(entry, ben, tag)]
      const witness = await enter(b, cara, tag)
      // The media of these sessions continues at the media node.
      await Promise.all([first.open(), second.open()])

      // The owner keeps their connections, for it waits for them; meanwhile the session leaves it.
      entry.leadTo(null)
      await waitFor(() => [first, second].every(each => witness.presenceOf(each) === 'away'), 'both are away')
      await draining.drain(a)
      await waitFor(() => isRunBy(b, cluster, tag), 'the session is at the other server')
      entry.leadTo(b)
      await waitFor(() => first.presenceOf(second) === 'here' && second.presenceOf(first) === 'here', 'both')
      witness.client.close()

      await draining.undrain(a)
      entry.leadTo(a)
      await draining.drain(b)
      await waitFor(() => isRunBy(a, cluster, tag), 'the session is back')
      // An answer means that its sender has resumed; what was sent before that is in the history.
      await first.say('here again')
      await second.say('here too')
      await waitFor(() => first.texts.includes('here too'), 'chat')
      expect([first.joins, second.joins].map(joins => joins.length)).toEqual([1, 1])
      expect(first.presenceOf(second)).toBe('here')
    } finally {
      await draining.undrain(b)
      await draining.close()
      await entry.close()
    }
  })

  it('NODE-13 Y14 keep participants, endpoints and publications when the owner of the session stops', async () => {
    const [cara, anna, ben] = [await addPerson('cara'), await addPerson('anna'), await addPerson('ben')]
    const tag = await createConference(cara)
    // The first one makes the server the owner, and does not come back.
    const owner = await enter(a, cara, tag)
    const [first, second] = [await enter(b, anna, tag), await enter(b, ben, tag)]
    const [endpoint] = await Promise.all([first.open(), second.open()])
    expect(await first.publish(endpoint)).toMatchObject({ publication_id: `mic-${first.id}` })
    await waitFor(() => second.view?.publications.length === 1, 'the publication')
    await second.client.command('participant.update', second.target, { hand_raised: true })
    const before = second.view

    const sending = second.say('written while the owner goes')
    await a.stop()
    await sending
    await waitFor(() => first.presenceOf(second) === 'here' && second.presenceOf(first) === 'here', 'both')
    await second.say('after')
    await waitFor(() => first.texts.includes('after'), 'chat')
    expect([first.joins, second.joins].map(joins => joins.length)).toEqual([1, 1])
    expect(second.view?.publications).toEqual(before?.publications)
    expect(second.view?.participants.map(each => [each.participant_id, each.hand_raised_at_ms])).toEqual(
      before?.participants.map(each => [each.participant_id, each.hand_raised_at_ms]),
    )
    const { endpoint_id } = endpoint
    await first.client.command('media.restart_ice', first.target, { endpoint_id })
    await first.client.command('media.pause', first.target, { publication_id: `mic-${first.id}` })
    await waitFor(() => second.view?.publications[0]?.paused === true, 'the pause')

    expect(second.presenceOf(owner)).not.toBe('here')
    expect(await second.history()).toEqual(['written while the owner goes', 'after'])

    expect(b.log()).not.toContain('"level":"error"')
  })
})

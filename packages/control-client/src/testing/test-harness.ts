import { seededRandom } from '@lectern/common/testing'
import { ControlClient, type ControlClientOptions } from '../client.ts'
import { FakeClock, settle } from './clock.ts'
import { FakeNetwork } from './fake-network.ts'
import { SESSION_ID } from './model.ts'
import { ScriptedServer } from './server.ts'

/** A client, a scripted server and the network between them, on a clock that a test advances. */
export function createTestHarness(options: Partial<ControlClientOptions> & { seed?: number } = {}) {
  const { seed = 1, ...rest } = options
  const clock = new FakeClock()
  const server = new ScriptedServer()
  const network = new FakeNetwork(server.accept)
  const tokenRefusals: (string | undefined)[] = []
  let token = 'token-1'
  const client = new ControlClient(
    { WebSocket: network.WebSocket, now: clock.now, after: clock.after, random: seededRandom(seed) },
    {
      url: 'wss://example.org/api/v1.0/control',
      joinToken: 'link',
      client: { name: 'test', version: '1', platform: 'node' },
      accessToken: async refusal => {
        tokenRefusals.push(refusal)
        return token
      },
      ...rest,
    },
  )
  const events: string[] = []
  client.onEvent(({ name, stream_id, seq }) => events.push(`${stream_id} ${seq} ${name}`))

  /** Delivers frames and settles promises until nothing is left; time does not pass. */
  const flush = async () => {
    do await clock.advance(0)
    while (network.sockets.some(socket => socket.flush() > 0))
    await settle()
  }
  const connect = async () => {
    client.open()
    await flush()
  }
  const target = { kind: 'conference_session', id: SESSION_ID } as const
  const join = async () => {
    const result = client.command('conference.join', { kind: 'conference', id: 'k7mq' }, {})
    await flush()
    return result
  }
  const sendChat = (text: string, ttlMs?: number) =>
    client.command('chat.send', target, { text }, ttlMs === undefined ? {} : { ttlMs })
  const session = client.session(SESSION_ID)
  const texts = () => session.get()?.messages.map(({ text }) => text) ?? []

  return {
    client,
    clock,
    server,
    network,
    events,
    tokenRefusals,
    flush,
    connect,
    join,
    sendChat,
    session,
    texts,
    setToken: (next: string) => {
      token = next
    },
    /** Flushes and advances the clock until the client is ready. */
    recover: async () => {
      await flush()
      for (let i = 0; i < 50 && client.state.get().is !== 'ready'; i++) {
        await clock.advance(1_000)
        await flush()
      }
    },
  }
}

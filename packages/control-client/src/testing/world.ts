import { ControlClient, type ControlClientOptions } from '../client.ts'
import { FakeClock, seeded, settle } from './clock.ts'
import { SESSION_ID } from './model.ts'
import { ScriptedServer } from './server.ts'
import { FakeNetwork } from './wire.ts'

/** A client, its server and the network between, with a clock that stands. */
export function makeWorld(options: Partial<ControlClientOptions> & { seed?: number } = {}) {
  const { seed = 1, ...rest } = options
  const clock = new FakeClock()
  const server = new ScriptedServer()
  const network = new FakeNetwork(server.accept)
  const refused: (string | undefined)[] = []
  let token = 'token-1'
  const client = new ControlClient(
    { WebSocket: network.WebSocket, now: clock.now, after: clock.after, random: seeded(seed) },
    {
      url: 'wss://example.org/api/v1.0/control',
      joinToken: 'link',
      client: { name: 'test', version: '1', platform: 'node' },
      accessToken: async why => {
        refused.push(why)
        return token
      },
      ...rest,
    },
  )
  const events: string[] = []
  client.onEvent(({ name, stream_id, seq }) => events.push(`${stream_id} ${seq} ${name}`))

  /** Moves frames and promises until nothing moves; the clock stands. */
  const flush = async () => {
    do await clock.advance(0)
    while (network.wires.some(wire => wire.flush() > 0))
    await settle()
  }
  const connect = async () => {
    client.open()
    await flush()
  }
  const target = { kind: 'conference_session', id: SESSION_ID } as const
  const join = async () => {
    const joined = client.command('conference.join', { kind: 'conference', id: 'k7mq' }, {})
    await flush()
    return joined
  }
  const say = (text: string, ttlMs?: number) =>
    client.command('chat.send', target, { text }, ttlMs === undefined ? {} : { ttlMs })
  const session = client.session(SESSION_ID)
  const texts = () => session.get()?.messages.map(({ text }) => text) ?? []

  return {
    client,
    clock,
    server,
    network,
    events,
    refused,
    flush,
    connect,
    join,
    say,
    session,
    texts,
    setToken: (next: string) => {
      token = next
    },
    /** Flushes and lets back-offs pass until the client is ready. */
    recover: async () => {
      await flush()
      for (let i = 0; i < 50 && client.state.get().is !== 'ready'; i++) {
        await clock.advance(1_000)
        await flush()
      }
    },
  }
}

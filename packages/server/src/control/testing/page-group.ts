import { seededRandom } from '@lectern/common/testing'
import { ControlClient } from '@lectern/control-client'
import { FakeClock, FakeNetwork, type FakeSocket } from '@lectern/control-client/testing'
import type { Socket } from '../ports.ts'
import { type ControlHarness, TAG } from './control-harness.ts'
import { ProtocolMonitor } from './protocol-monitor.ts'

/** One person's page: a real client, and a network that moves nothing by itself. */
export interface Page {
  name: string
  client: ControlClient
  network: FakeNetwork
  /** The result of the last join; null while the page is not inside, as far as it knows. */
  inside: { sessionId: string; participantId: string } | null
  eventIds: string[]
  /** The names of the signals that others have sent. */
  signals: string[]
}

/** Several pages on one server, with one clock for all. */
export class PageGroup {
  readonly #harness: ControlHarness
  readonly #clock = new FakeClock()
  readonly monitor = new ProtocolMonitor()
  readonly pages: Page[] = []
  readonly #random: () => number
  #opened = 0

  constructor(harness: ControlHarness, seed: number) {
    this.#harness = harness
    this.#random = seededRandom(seed)
  }

  open(name: string, role: 'moderator' | 'participant'): Page {
    const network = new FakeNetwork(wire => this.#accept(wire))
    const client = new ControlClient(
      {
        WebSocket: network.WebSocket,
        now: this.#clock.now,
        after: this.#clock.after,
        random: seededRandom(1000 * ++this.#opened + Math.floor(this.#random() * 1000)),
      },
      {
        url: 'wss://example.org/api/v1.0/control',
        accessToken: async () => name,
        joinToken: `${role}@${TAG}`,
        client: { name: 'test', version: '1', platform: 'node' },
      },
    )
    const page: Page = { name, client, network, inside: null, eventIds: [], signals: [] }
    client.onStart(() => this.join(page))
    client.onEvent(event => page.eventIds.push(event.event_id))
    client.onSignal(signal => page.signals.push(signal.name))
    client.open()
    this.pages.push(page)
    return page
  }

  join(page: Page): void {
    page.inside = null
    const conference = { kind: 'conference', id: TAG } as const
    page.client.command('conference.join', conference, {}, { ttlMs: 3_600_000 }).then(
      ({ conference_session_id, participant_id }) => {
        page.inside = { sessionId: conference_session_id, participantId: participant_id }
      },
      () => {},
    )
  }

  /** The tab goes: a browser closes its socket with 1001. */
  close(page: Page): void {
    this.pages.splice(this.pages.indexOf(page), 1)
    page.client.close()
    for (const wire of page.network.sockets) if (!wire.isClosed) wire.closeByClient(1001, '')
  }

  async pass(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= 500) {
      await this.#clock.advance(Math.min(left, 500))
      await this.#harness.pass(Math.min(left, 500))
    }
  }

  /** Moves frames and time until every page is ready and nothing is under way. */
  async settle(): Promise<void> {
    for (const page of this.pages) page.network.up = true
    for (let round = 0; round < 120; round++) {
      let moved = 0
      do {
        await this.#clock.advance(0)
        moved = this.pages.reduce((sum, { network }) => sum + flush(network), 0)
        await this.#harness.settle()
      } while (moved > 0)
      await this.pass(500)
    }
  }

  #accept(wire: FakeSocket) {
    const socket: Socket = {
      bufferedAmount: 0,
      send: frame => {
        this.monitor.onServerFrame(wire, frame)
        if (!wire.isClosed) wire.send(frame)
      },
      ping: () => queueMicrotask(() => events.onPing()),
      close: (code, reason) => {
        if (!wire.isClosed) wire.close(code, reason)
      },
      terminate: () => wire.drop(),
    }
    const events = this.#harness.control.accept(socket, '127.0.0.1')
    return {
      received: (text: string) => {
        this.monitor.onClientFrame(wire, text)
        events.onFrame(new TextEncoder().encode(text))
      },
      closed: () => events.onClose(wire.closedWith?.code ?? 1006),
    }
  }
}

const flush = (network: FakeNetwork) =>
  network.sockets.filter(wire => !wire.isClosed).reduce((sum, wire) => sum + wire.flush(), 0)

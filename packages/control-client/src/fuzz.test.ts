import { isDeepStrictEqual } from 'node:util'
import { fuzzSeeds, seededRandom } from '@lectern/common/testing'
import { expect, it } from 'vitest'
import type { FakeSocket } from './testing/fake-network.ts'
import { ACCOUNT } from './testing/model.ts'
import { positionOf } from './testing/server.ts'
import { createTestHarness } from './testing/test-harness.ts'

const STEPS = 2_000

for (const seed of fuzzSeeds(1, 2))
  it(`C24 converges to the server's state, with every command executed once (seed ${seed})`, async () => {
    const random = seededRandom(seed)
    const below = (n: number) => Math.floor(random() * n)
    const harness = createTestHarness({ seed })
    const { client, clock, network, server } = harness
    const pending: Promise<unknown>[] = []
    const sentTexts: string[] = []
    const eventIds: string[] = []
    const mismatches: string[] = []
    const viewState = () => {
      const { ended, ...state } = harness.session.get() ?? { ended: null }
      return state
    }

    client.onStart(() => {
      pending.push(
        client.command('conference.join', { kind: 'conference', id: 'k7mq' }, {}, { ttlMs: 3_600_000 }),
      )
    })
    client.onEvent(event => {
      eventIds.push(event.event_id)
      const view = event.stream_id === ACCOUNT ? client.account('7').get() : viewState()
      if (!isDeepStrictEqual(view, server.history.get(positionOf(event)))) mismatches.push(positionOf(event))
    })

    const duplicate = (socket: FakeSocket) => {
      const again = socket.toClient[below(socket.toClient.length)]
      // Repeats a frame of the server; a close or an opening cannot be repeated.
      if (again?.is === 'text' && !again.text.startsWith('{"login')) socket.toClient.push(again)
    }
    const dropEvent = (socket: FakeSocket) => {
      const at = socket.toClient.findIndex(
        item => item.is === 'text' && item.text.startsWith('{"control_event'),
      )
      if (at >= 0) socket.toClient.splice(at, 1)
    }
    const repeat = (socket: FakeSocket) => {
      const again = socket.toServer.find(text => text.startsWith('{"control_command'))
      if (again) socket.toServer.push(again)
    }
    const actions: [weight: number, act: () => unknown][] = [
      [40, () => network.last.flushToServer(1 + below(4))],
      [40, () => network.last.flushToClient(1 + below(8))],
      [20, () => clock.advance(below(1_000))],
      [
        12,
        () => {
          const text = `t${sentTexts.length}`
          sentTexts.push(text)
          pending.push(harness.sendChat(text, 3_600_000))
        },
      ],
      [8, () => server.postMessage(`server ${below(1e9)}`)],
      [3, () => server.rename(`Anna ${below(1e9)}`)],
      [2, () => network.last.drop()],
      [1, () => server.restart()],
      [1, () => server.forgetConnections()],
      [1, () => network.last.close(1001, 'temporarily_unavailable')],
      [4, () => duplicate(network.last)],
      [3, () => repeat(network.last)],
      [3, () => dropEvent(network.last)],
      [1, () => client.wake()],
      [
        1,
        () => {
          network.up = false
        },
      ],
    ]
    const deck = actions.flatMap(([weight, act]) => Array<() => unknown>(weight).fill(act))

    client.open()
    await clock.advance(0)
    for (let step = 0; step < STEPS; step++) {
      if (below(10) === 0) network.up = true
      await deck[below(deck.length)]?.()
    }

    network.up = true
    for (let round = 0; round < 6; round++) {
      await harness.recover()
      await clock.advance(30_000)
    }
    client.wake()
    await harness.recover()

    expect(mismatches).toEqual([])
    expect(client.state.get()).toMatchObject({ is: 'ready' })
    await Promise.all(pending)
    const effects = server.model.stored.map(({ text }) => text).filter(text => text.startsWith('t'))
    expect(effects.toSorted()).toEqual(sentTexts.toSorted())
    expect(client.account('7').get()).toEqual(server.model.account)
    expect(viewState()).toEqual(server.model.session)
    expect(new Set(eventIds).size).toBe(eventIds.length)
  })

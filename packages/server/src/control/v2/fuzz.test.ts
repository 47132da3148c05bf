import { fuzzSeeds, seededRandom } from '@lectern/common/testing'
import type { FakeSocket } from '@lectern/control-client/testing'
import { expect, it } from 'vitest'
import { createHarness, TAG } from '../testing/control-harness.ts'
import { type Page, PageGroup } from '../testing/page-group.ts'

const STEPS = 4_000

const PEOPLE = ['anna', 'ben', 'carl', 'dora']
const PAGES_MAX = 7

for (const seed of fuzzSeeds(1))
  it(`keeps every stream complete and leaves no stale participant (seed ${seed})`, async () => {
    const random = seededRandom(seed)
    const below = (n: number) => Math.floor(random() * n)
    const harness = await createHarness()
    const crowd = new PageGroup(harness, seed)
    const said = new Map<string, Promise<unknown>>()
    const anyPage = () => crowd.pages[below(crowd.pages.length)] as Page
    const anyWire = () => anyPage().network.sockets.at(-1) as FakeSocket | undefined
    const open = () => {
      const name = PEOPLE[below(PEOPLE.length)] as string
      crowd.open(name, name === 'anna' || random() < 0.2 ? 'moderator' : 'participant')
    }

    /** Pages send commands while they show the conference; the server decides whether they are permitted. */
    const command = (page: Page) => {
      if (!page.inside) return
      const { client, inside } = page
      const session = { kind: 'conference_session', id: inside.sessionId } as const
      const conference = { kind: 'conference', id: TAG } as const
      const target = crowd.pages[below(crowd.pages.length)]?.inside?.participantId ?? inside.participantId
      const user_id = String(harness.authenticator.user(PEOPLE[below(PEOPLE.length)] as string).id)
      const options = { ttlMs: 3_600_000 }
      const acts: (() => Promise<unknown>)[] = [
        () => client.command('participant.update', session, { hand_raised: random() < 0.5 }, options),
        () => client.command('participant.update', session, { display_name: `n${below(100)}` }, options),
        () => client.command('participant.mute', session, { source: 'audio' }, options),
        () => client.command('conference.set_lock', conference, { locked: random() < 0.2 }, options),
        () =>
          client.command('chat.set_mode', session, { mode: random() < 0.2 ? 'read_only' : 'open' }, options),
        () => client.command('participant.remove', session, { participant_id: target }, options),
        () => client.command('participant.readmit', session, { user_id }, options),
        () => client.command('participant.readmit', session, { user_id }, options),
      ]
      acts[below(acts.length)]?.().catch(() => {})
    }
    const say = (page: Page) => {
      if (!page.inside) return
      const text = `t${said.size}`
      const session = { kind: 'conference_session', id: page.inside.sessionId } as const
      const done = page.client.command('chat.send', session, { text }, { ttlMs: 3_600_000 })
      said.set(
        text,
        done.then(
          () => 'stored',
          error => error.code,
        ),
      )
    }
    /** Anybody sends anything, also in the name of others, and points at what nobody shares. */
    const signal = ({ client, inside }: Page) => {
      if (!inside) return
      const { participantId } = (random() < 0.5 && anyPage().inside) || inside
      const bodies = [
        { reaction: 'clap' },
        { reaction: 7 },
        { publication_id: 'p', position: { x: 0, y: 1 } },
        {},
      ]
      client.sendSignal({
        streamId: `session:${inside.sessionId}`,
        sourceId: participantId,
        name: random() < 0.5 ? 'reaction.shown' : 'screen.pointer',
        body: bodies[below(bodies.length)] as (typeof bodies)[number],
        ttlMs: 5_000,
      })
    }
    const leave = (page: Page) => {
      const conference = { kind: 'conference', id: TAG } as const
      page.client.command('conference.leave', conference, {}).catch(() => {})
      page.inside = null
      crowd.join(page)
    }
    const swap = (queue: unknown[]) => {
      const at = below(queue.length - 1)
      if (queue.length > 1) queue.splice(at, 2, queue[at + 1], queue[at])
    }
    const isText = (item: { is: string; text?: string }) =>
      item.is === 'text' && !item.text?.startsWith('{"login')

    const actions: [weight: number, act: () => unknown][] = [
      [60, () => anyWire()?.flushToServer(1 + below(4))],
      [60, () => anyWire()?.flushToClient(1 + below(8))],
      [25, () => crowd.pass(below(300))],
      [25, () => say(anyPage())],
      [15, () => command(anyPage())],
      [5, () => signal(anyPage())],
      [3, () => anyWire()?.drop()],
      [0.3, () => crowd.pass(below(40_000))],
      [2, () => leave(anyPage())],
      [2, () => crowd.pages.length < PAGES_MAX && open()],
      [1, () => crowd.pages.length > 2 && crowd.close(anyPage())],
      [2, () => swap(anyWire()?.toServer ?? [])],
      [
        2,
        () => {
          const wire = anyWire()
          if (wire?.toClient.every(isText)) swap(wire.toClient)
        },
      ],
      [
        3,
        () => {
          const wire = anyWire()
          const again = wire?.toServer.find(text => text.startsWith('{"control_command'))
          if (again) wire?.toServer.push(again)
        },
      ],
      [
        2,
        () => {
          const wire = anyWire()
          const at = wire?.toClient.findIndex(
            item => item.is === 'text' && item.text.startsWith('{"control_e'),
          )
          if (wire && at !== undefined && at >= 0) wire.toClient.splice(at, 1)
        },
      ],
      [
        1,
        () => {
          anyPage().network.up = random() < 0.5
        },
      ],
    ]
    const deck = actions.flatMap(([weight, act]) => Array<() => unknown>(weight * 10).fill(act))
    const restartAt = new Set(Array.from({ length: STEPS / 1000 }, () => below(STEPS)))

    crowd.open('anna', 'moderator')
    open()
    for (let step = 0; step < STEPS; step++) {
      await deck[below(deck.length)]?.()
      if (!restartAt.has(step)) continue
      for (const { network } of crowd.pages) for (const wire of network.sockets) wire.drop()
      harness.now += 1
      await harness.restart()
    }
    await crowd.settle()
    for (const { client } of crowd.pages) client.wake()
    await crowd.settle()

    expect(crowd.monitor.violations).toEqual([])
    for (const page of crowd.pages) {
      expect(page.client.state.get(), page.name).toMatchObject({ is: 'ready' })
      expect(new Set(page.eventIds).size).toBe(page.eventIds.length)
      expect(page.signals, 'nobody shares a screen (rule N6)').not.toContain('screen.pointer')
    }
    await checkSession(harness, crowd, said)
  })

/** Whether the page sees itself in the conference. */
const isShown = ({ client, inside }: Page) =>
  inside !== null &&
  client
    .session(inside.sessionId)
    .get()
    ?.participants.some(({ participant_id }) => participant_id === inside.participantId) === true

async function checkSession(
  harness: Awaited<ReturnType<typeof createHarness>>,
  crowd: PageGroup,
  said: Map<string, Promise<unknown>>,
) {
  const sessionId = harness.registry.getByTag(TAG)?.id
  const places = crowd.pages.map(({ inside }) => inside?.participantId)
  if (sessionId === undefined) return expect(crowd.pages.filter(isShown)).toEqual([])
  const state = harness.registry.state(sessionId)?.state
  // No stale participant: each one is an open page. None is missing: the session contains what each page shows.
  for (const { participant_id, presence } of state?.participants ?? []) {
    expect(places).toContain(participant_id)
    expect(presence).toBe('here')
  }
  for (const page of crowd.pages.filter(isShown)) {
    const { ended, ...view } = page.client.session(String(sessionId)).get() ?? { ended: null }
    expect(view, page.name).toEqual(state)
  }

  // Each message is stored once; what was answered as stored is stored, and what was refused is not.
  const texts: string[] = []
  for (let id = 1; id <= sessionId; id++)
    texts.push(
      ...(await harness.chat.page(`session:${id}`, null, { limit: 10_000, bytes: 1e9 })).messages.map(
        ({ text }) => text,
      ),
    )
  expect(new Set(texts).size).toBe(texts.length)
  for (const [text, done] of said) {
    const outcome = await done
    if (outcome === 'stored') expect(texts).toContain(text)
    if (outcome === 'permission_denied') expect(texts).not.toContain(text)
  }
}

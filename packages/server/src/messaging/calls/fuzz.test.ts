import { fuzzSeeds, seededRandom } from '@lectern/common/testing'
import { Refusal } from '@lectern/protocol'
import { afterEach, expect, it } from 'vitest'
import type { Call } from './call-state.ts'
import { CallHarness } from './testing/call-harness.ts'

const USERS = [1, 2, 3, 4] as const
const STEPS = 120

let harness: CallHarness | null = null
afterEach(() => harness?.close())

/** Refusals are results, too; anything else fails the test. */
const attempt = (work: Promise<unknown>) =>
  work.catch(error => {
    if (!(error instanceof Refusal)) throw error
  })

async function run(seed: number): Promise<void> {
  const random = seededRandom(seed)
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T
  const h = await CallHarness.open()
  harness = h
  const ended = new Map<number, Call>()
  let commands = 0

  const openCalls = () => h.parts.store.listOpen({})
  const step = async (call: Call | undefined): Promise<unknown> => {
    const user = pick(USERS)
    const others = USERS.filter(id => id !== user)
    const ref = { id: call?.id ?? 1 }
    const actions: (() => unknown)[] = [
      () => attempt(h.invite(user, random() < 0.7 ? [pick(others)] : others.slice(0, 2))),
      () => attempt(h.invite(user, [pick(others)])),
      () => attempt(h.calls.accept(user, ref, `answer-${++commands}`)),
      () => attempt(h.calls.decline(user, ref)),
      () => attempt(h.calls.cancel(user, ref)),
      () => attempt(h.calls.leave(user, ref)),
      () => call && h.enter(call.tag, user),
      () => call && h.leave(call.tag, user),
      () => (random() < 0.5 ? h.offline.add(user) : h.offline.delete(user)),
      () => {
        const other = pick(others)
        const key = [user, other].sort().join('-')
        if (!h.strangers.delete(key)) h.strangers.add(key)
        return attempt(h.calls.onRelationChanged(user, other))
      },
      () => h.pass(Math.ceil(random() * 8)),
    ]
    return pick(actions)()
  }
  const check = async () => {
    const open = await openCalls()
    const pairs = open
      .filter(
        ({ state, people, ownsConference }) =>
          state.is === 'ringing' && people.length === 1 && ownsConference,
      )
      .map(({ inviter, people }) => [inviter.userId, people[0]?.userId].sort().join())
    expect(new Set(pairs).size, `seed ${seed}: one ringing call for each pair`).toBe(pairs.length)
    for (const { state, people } of open)
      expect(
        people.some(
          each => each.state.is === 'accepted' || each.state.is === 'ringing' || state.is === 'active',
        ),
      ).toBe(true)
    for (const call of ended.values()) expect(await h.parts.store.find(call.id), `seed ${seed}`).toEqual(call)
    for (const { calls } of [await h.calls.list(pick(USERS), null)])
      for (const call of calls) if (call.state.is === 'ended') ended.set(call.id, call)
  }

  for (let i = 0; i < STEPS; i++) {
    const calls = await openCalls()
    // Up to three things at the same time.
    await Promise.all(Array.from({ length: Math.ceil(random() * 3) }, () => step(pick(calls))))
    if (random() < 0.04) await h.restart()
    await check()
  }
  // Everybody goes away: nothing rings or lasts forever.
  h.inside.clear()
  for (const user of USERS) h.offline.add(user)
  await h.pass(130)
  expect(await openCalls(), `seed ${seed}`).toEqual([])
  for (const call of ended.values())
    expect((await h.conferences.find(call.tag))?.purpose, `seed ${seed}`).toBe('past_call')
  expect(ended.size).toBeGreaterThan(5)
}

it.each(fuzzSeeds(1, 2))(
  'calls follow their rules and end after any sequence of events (seed %i)',
  run,
  60_000,
)

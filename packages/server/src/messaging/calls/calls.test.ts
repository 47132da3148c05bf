import { Refusal } from '@lectern/protocol'
import { CALL_LIST_MAX } from '@lectern/protocol/control'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Call } from './call-state.ts'
import { InvitationLimiter } from './invitation-limiter.ts'
import { CALL_PAGE_BYTES, OPEN_CALLS_PER_ACCOUNT } from './limits.ts'
import { presentCall } from './present.ts'
import { CallHarness, userOf } from './testing/call-harness.ts'

const [ANNA, BEN, CARA] = [1, 2, 3] as const

let h: CallHarness
beforeEach(async () => {
  h = await CallHarness.open()
})
afterEach(() => h.close())

const refusal = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'no refusal',
    error => {
      if (error instanceof Refusal) return error.code
      throw error
    },
  )

const byId = ({ id }: Call) => ({ id })
const accept = (userId: number, call: Call, answerId = `answer-${userId}`) =>
  h.calls.accept(userId, byId(call), answerId)

describe('an invitation', () => {
  it('CALL-1 is for contacts only; all refusals are the same', async () => {
    h.strangers.add('1-2')
    h.deleted.add(9)
    for (const userIds of [[BEN], [CARA, BEN], [ANNA], [9]])
      expect(await refusal(h.invite(ANNA, userIds)), String(userIds)).toBe('not_callable')
    expect(
      await refusal(
        h.calls.invite(userOf(7, 'guest'), { commandId: 'c', userIds: [BEN], video: false, tag: null }),
      ),
    ).toBe('permission_denied')
    expect(h.published).toEqual([])
  })

  it('CALL-1 may be to a conference, for its members, by its members', async () => {
    await h.conferences.add({
      tag: 'm',
      title: 'M',
      ownerId: ANNA,
      createdAtMs: 1,
      entry: 'open',
      purpose: 'meeting',
    })
    h.strangers.add('1-2')
    expect(await refusal(h.invite(ANNA, [BEN], { tag: 'm' }))).toBe('not_callable')
    expect(await refusal(h.invite(CARA, [BEN], { tag: 'm' }))).toBe('conference_not_found')
    expect(await refusal(h.invite(ANNA, [CARA], { tag: 'none' }))).toBe('conference_not_found')
    h.members.set('m', [BEN])
    const call = await h.invite(ANNA, [BEN], { tag: 'm' })
    expect(call).toMatchObject({ tag: 'm', ownsConference: false })
    expect(await h.invite(BEN, [CARA], { tag: 'm' })).toMatchObject({ tag: 'm' })
    h.enter('m', 4)
    expect(await h.invite(4, [CARA], { tag: 'm' })).toMatchObject({ tag: 'm' })
    h.blocks.add('1-2')
    await h.calls.onRelationChanged(BEN, ANNA)
    expect(await h.state(call)).toBe('ended/declined: 2 declined')
    for (const [inviter, invited] of [
      [ANNA, BEN],
      [BEN, ANNA],
    ] as const)
      expect(await refusal(h.invite(inviter, [invited], { tag: 'm' }))).toBe('not_callable')
    expect([h.ended, (await h.conferences.find('m'))?.purpose]).toEqual([[], 'meeting'])
  })

  it('CALL-2 rings several people in a conference of their own', async () => {
    const call = await h.invite(ANNA, [BEN, CARA])
    expect(h.published).toEqual(['ringing: 2 ringing, 3 ringing'])
    expect(await h.conferences.find(call.tag)).toMatchObject({
      ownerId: ANNA,
      title: 'User 1, User 2, User 3',
    })
    expect(await h.conferences.listOf(ANNA, 10)).toEqual([])
    const more = await h.invite(BEN, [4], { tag: call.tag }).catch(error => error.code)
    expect(more).toBe('conference_not_found')
    h.enter(call.tag, BEN)
    expect(await h.invite(BEN, [4], { tag: call.tag })).toMatchObject({ tag: call.tag, ownsConference: true })
  })

  it('CALL-3 is carried out once for each command, also after a crash', async () => {
    const call = await h.invite(ANNA, [BEN, CARA], { commandId: 'c' })
    await h.restart()
    expect(await h.invite(ANNA, [BEN, CARA], { commandId: 'c' })).toEqual(call)
    expect(h.published).toHaveLength(1)
  })

  it('CALL-4 has limits for each account', async () => {
    const calls: Call[] = []
    for (let i = 0; i < OPEN_CALLS_PER_ACCOUNT; i++) calls.push(await h.invite(ANNA, [10 + i, BEN]))
    expect(await refusal(h.invite(ANNA, [CARA]))).toBe('too_many_calls')
    expect(await h.state(await h.invite(CARA, [BEN, 4]))).toBe('ringing: 2 busy, 4 ringing')
    expect(await h.state(await h.invite(4, [BEN]))).toBe('ended/declined: 2 busy')
    await h.calls.cancel(ANNA, byId(calls[0] as Call))
    expect(await h.state(await h.invite(ANNA, [CARA]))).toBe('ringing: 3 ringing')
    h.invitationsLeft = 2
    expect(await refusal(h.invite(5, [6, 7, 8]))).toBe('too_many_invitations')
  })

  it('CALL-4 limits how often one account rings another, besides all the people that it rings', () => {
    let now = 0
    const limiter = new InvitationLimiter(() => now, 6)
    for (let i = 0; i < 3; i++) expect(limiter.take(1, [2])).toBe(0)
    expect(limiter.take(1, [2])).toBe(20_000)
    expect(limiter.take(1, [3, 2])).toBe(20_000) // and the other one counts no ring
    for (let i = 0; i < 3; i++) expect(limiter.take(1, [3])).toBe(0)
    expect(limiter.take(1, [4])).toBe(10_000)
    expect(limiter.take(2, [1])).toBe(0)
    now = 20_000
    expect(limiter.take(1, [2])).toBe(0)
    const unlimited = new InvitationLimiter(() => now, null)
    for (let i = 0; i < 50; i++) expect(unlimited.take(1, [2])).toBe(0)
  })

  it('CALL-5 merges with a simultaneous one from the other person', async () => {
    const [one, other] = await Promise.all([h.invite(ANNA, [BEN]), h.invite(BEN, [ANNA])])
    expect(other.id).toBe(one.id)
    const { inviter, people } = one
    expect(await h.state(one)).toBe(`active: ${people[0]?.userId} accepted`)
    expect([inviter.userId, people[0]?.userId].sort()).toEqual([ANNA, BEN])
  })

  it('CALL-5 between the same two people returns the ringing call', async () => {
    const first = await h.invite(ANNA, [BEN])
    expect((await h.invite(ANNA, [BEN])).id).toBe(first.id)
    expect(await h.state(first)).toBe('ringing: 2 ringing')
    const merged = await h.invite(BEN, [ANNA], { commandId: 'x' })
    expect(merged).toMatchObject({ id: first.id, state: { is: 'active' } })
    await h.restart()
    expect(await h.invite(BEN, [ANNA], { commandId: 'x' })).toEqual(merged)
    await h.calls.leave(BEN, byId(merged))
    expect((await h.invite(BEN, [ANNA], { commandId: 'x' })).id).toBe(first.id)
    expect((await h.invite(BEN, [ANNA])).id).not.toBe(first.id)
  })

  it('CALL-5 does not merge with a call of several people', async () => {
    const first = await h.invite(ANNA, [BEN, CARA])
    expect((await h.invite(BEN, [ANNA])).id).not.toBe(first.id)
  })

  it('CALL-5 of many pairs at once creates one call for each', async () => {
    const pairs = Array.from({ length: 20 }, (_, i) => [100 + 2 * i, 101 + 2 * i] as const)
    const calls = await Promise.all(
      pairs.flatMap(([a, b], i) => [h.invite(a, [b]), i % 2 ? h.invite(b, [a]) : h.invite(a, [b])]),
    )
    expect(new Set(calls.map(({ id }) => id)).size).toBe(20)
    for (const [i, call] of calls.entries())
      expect(await h.state(call)).toMatch(Math.floor(i / 2) % 2 ? /^active/ : /^ringing/)
  })
})

describe('the supervisor', () => {
  it('asks once where all calls are, and further only about those with a session', async () => {
    const { listLive, locate } = h.parts.sessions
    const asked: string[] = []
    h.parts.sessions.listLive = tags => {
      asked.push(`${tags.length} calls`)
      return listLive(tags)
    }
    h.parts.sessions.locate = tag => {
      asked.push(tag)
      return locate(tag)
    }
    const calls = []
    for (let i = 0; i < 30; i++) calls.push(await h.invite(100 + 2 * i, [101 + 2 * i]))
    const { tag } = calls[7] as Call
    h.enter(tag, 114)
    await h.supervisor.tick()
    expect(asked).toEqual(['30 calls', tag])
  })
})

describe('an answer', () => {
  it('CALL-7 of one device wins, the other is refused', async () => {
    const call = await h.invite(ANNA, [BEN])
    const outcomes = await Promise.all(['phone', 'laptop'].map(device => refusal(accept(BEN, call, device))))
    expect(outcomes.sort()).toEqual(['answered_elsewhere', 'no refusal'])
    expect(h.published).toEqual(['ringing: 2 ringing', 'active: 2 accepted'])
  })

  it('CALL-7 is the same when it is repeated, also after a crash', async () => {
    const call = await h.invite(ANNA, [BEN])
    const accepted = await accept(BEN, call, 'phone')
    await h.restart()
    expect(await accept(BEN, call, 'phone')).toEqual(accepted)
    expect(await refusal(accept(BEN, call, 'laptop'))).toBe('answered_elsewhere')
  })

  it('CALL-7 at the same time as a refusal: exactly one takes effect', async () => {
    for (let i = 0; i < 10; i++) {
      const call = await h.invite(ANNA, [BEN])
      const outcomes = await Promise.all([
        refusal(accept(BEN, call)),
        refusal(h.calls.decline(BEN, byId(call))),
      ])
      expect([
        ['no refusal', 'answered_elsewhere'],
        ['call_over', 'no refusal'],
      ]).toContainEqual(outcomes)
      await h.calls.cancel(ANNA, byId(call))
    }
  })

  it('K6 at the same time as another one with the same expected revision: one of them is refused', async () => {
    for (let i = 0; i < 10; i++) {
      const call = await h.invite(ANNA, [BEN, CARA])
      const revision = String(call.revision)
      const outcomes = await Promise.all([
        refusal(h.calls.accept(BEN, byId(call), 'phone', revision)),
        refusal(h.calls.decline(CARA, byId(call), revision)),
        refusal(h.calls.cancel(ANNA, byId(call), revision)),
      ])
      expect(outcomes.sort()).toEqual(['no refusal', 'other_version', 'other_version'])
      await h.calls.cancel(ANNA, byId(call))
    }
  })

  it('CALL-9 at the same time as the cancellation: the call ends for both', async () => {
    for (let i = 0; i < 10; i++) {
      const call = await h.invite(ANNA, [BEN])
      await Promise.allSettled([accept(BEN, call), h.calls.cancel(ANNA, byId(call))])
      expect(await h.state(call)).toMatch(/^ended\/cancelled: 2 (left|missed)$/)
      expect(h.ended).toHaveLength(i + 1)
    }
  })

  it('is possible for invited people; others receive nothing about the call', async () => {
    const call = await h.invite(ANNA, [BEN])
    const ref = byId(call)
    const calls = [
      accept(ANNA, call),
      accept(CARA, call),
      h.calls.decline(ANNA, ref),
      h.calls.decline(CARA, ref),
      h.calls.cancel(BEN, ref),
      h.calls.cancel(CARA, ref),
      h.calls.leave(CARA, ref),
      h.calls.get(CARA, ref),
      h.calls.setSeen(CARA, call.id),
      h.calls.get(ANNA, { id: 99 }),
      h.calls.get(ANNA, { tag: 'none' }),
    ]
    expect(new Set(await Promise.all(calls.map(refusal)))).toEqual(new Set(['call_not_found']))
    expect((await h.calls.get(BEN, { tag: call.tag })).id).toBe(call.id)
  })

  it('CALL-6 reports people as busy who decline during another call', async () => {
    const call = await h.invite(ANNA, [BEN])
    h.enter('elsewhere', BEN)
    await h.calls.decline(BEN, byId(call))
    expect(await h.state(call)).toBe('ended/declined: 2 busy')
    const second = await h.invite(ANNA, [BEN])
    h.leave('elsewhere', BEN)
    await h.calls.decline(BEN, byId(second))
    expect(await h.state(second)).toBe('ended/declined: 2 declined')
  })
})

describe('a call', () => {
  it('CALL-8 is missed after its timeout, even if the server was killed meanwhile', async () => {
    const call = await h.invite(ANNA, [BEN])
    await h.pass(44)
    expect(await h.state(call)).toBe('ringing: 2 ringing')
    await h.restart()
    await h.pass(1)
    expect(await h.state(call)).toBe('ended/missed: 2 missed')
    expect(h.missed).toEqual(['2: 1'])
    expect((await h.conferences.find(call.tag))?.purpose).toBe('past_call')
    expect(await refusal(accept(BEN, call))).toBe('call_over')
  })

  it('CALL-10 ends when its inviter stays disconnected', async () => {
    const call = await h.invite(ANNA, [BEN])
    h.offline.add(ANNA)
    await h.pass(5)
    h.offline.delete(ANNA)
    await h.pass(1)
    h.offline.add(ANNA)
    await h.pass(10)
    expect(await h.state(call)).toBe('ringing: 2 ringing')
    await h.pass(1)
    expect(await h.state(call)).toBe('ended/cancelled: 2 missed')
  })

  it('CALL-12 ends for both when one of two leaves', async () => {
    const call = await h.invite(ANNA, [BEN])
    await accept(BEN, call)
    h.enter(call.tag, ANNA, BEN)
    await h.pass(3)
    await h.calls.leave(ANNA, byId(call))
    expect(await h.state(call)).toBe('ended/completed: 2 left')
    expect(h.ended).toEqual([call.tag])
  })

  it('CALL-12 continues for those who remain of many', async () => {
    const call = await h.invite(ANNA, [BEN, CARA])
    for (const id of [BEN, CARA]) await accept(id, call)
    h.enter(call.tag, ANNA, BEN, CARA)
    await h.pass(1)
    h.leave(call.tag, ANNA)
    await h.calls.leave(ANNA, byId(call))
    await h.pass(60)
    expect(await h.state(call)).toBe('active: 2 accepted, 3 accepted')
    h.leave(call.tag, BEN)
    await h.pass(10)
    expect(await h.state(call)).toBe('active: 2 left, 3 accepted')
    await h.pass(1)
    expect(await h.state(call)).toBe('ended/completed: 2 left, 3 left')
  })

  it('CALL-12 continues after a restart, and ends with its session', async () => {
    const call = await h.invite(ANNA, [BEN])
    await accept(BEN, call)
    h.enter(call.tag, ANNA, BEN)
    await h.pass(1)
    await h.restart()
    await h.pass(100)
    expect(await h.state(call)).toBe('active: 2 accepted')
    h.inside.delete(call.tag)
    await h.pass(1)
    expect(await h.state(call)).toBe('ended/completed: 2 left')
  })

  it('CALL-13 stops ringing for accounts that were deleted', async () => {
    const [ofBen, ofAnna] = [await h.invite(CARA, [BEN, 4]), await h.invite(ANNA, [4])]
    await h.pass(1)
    h.deleted.add(BEN).add(ANNA)
    await h.pass(1)
    expect(await h.state(ofBen)).toBe('ringing: 2 ringing, 4 ringing')
    h.accessVersion += 1
    await h.pass(1)
    expect(await h.state(ofBen)).toBe('ringing: 2 missed, 4 ringing')
    expect(await h.state(ofAnna)).toBe('ended/cancelled: 4 missed')
  })

  it('CALL-8 and CALL-13 go on for all calls when an account cannot be read', async () => {
    const [ofBen, ofAnna] = [await h.invite(CARA, [BEN]), await h.invite(ANNA, [4, 5])]
    const { find } = h.parts.users
    h.parts.users.find = async id => {
      if (id === BEN) throw new Error('a damaged row')
      return find(id)
    }
    h.deleted.add(4)
    h.accessVersion += 1
    await h.pass(1)
    expect(await h.state(ofAnna)).toBe('ringing: 4 missed, 5 ringing')
    await h.pass(45)
    expect([await h.state(ofBen), await h.state(ofAnna)]).toEqual([
      'ended/missed: 2 missed',
      'ended/missed: 4 missed, 5 missed',
    ])
  })

  it('CALL-8 goes on when a call cannot be checked for a while, which is logged once each time', async () => {
    const [call, other] = [await h.invite(ANNA, [BEN]), await h.invite(CARA, [4])]
    h.parts.sessions.listLive = async tags => new Set(tags) // so that each is asked for
    const { locate } = h.parts.sessions
    const failing = async (tag: string) => {
      if (tag === call.tag) throw new Error('a damaged row')
      return locate(tag)
    }
    for (const times of [1, 2]) {
      h.parts.sessions.locate = failing
      await h.pass(15)
      expect(h.log).toHaveLength(times)
      h.parts.sessions.locate = locate
      await h.pass(5)
    }
    await h.pass(5)
    expect([await h.state(call), await h.state(other)]).toEqual([
      'ended/missed: 2 missed',
      'ended/missed: 4 missed',
    ])
  })

  it('CALL-13 stops ringing for people who may no longer be called', async () => {
    const [one, other] = [await h.invite(ANNA, [BEN]), await h.invite(ANNA, [CARA])]
    await h.calls.onRelationChanged(BEN, ANNA)
    expect(await h.state(one)).toBe('ringing: 2 ringing')
    h.strangers.add('1-2').add('1-3')
    await h.calls.onRelationChanged(BEN, ANNA)
    expect([await h.state(one), await h.state(other)]).toEqual([
      'ended/declined: 2 declined',
      'ringing: 3 ringing',
    ])
    await h.calls.onRelationChanged(ANNA, CARA)
    expect(await h.state(other)).toBe('ended/declined: 3 declined')
  })
})

describe('the calls of an account', () => {
  it('CALL-15 are counted while they are missed and not viewed', async () => {
    const missed = async (from: number) => {
      const call = await h.invite(from, [BEN])
      return h.calls.cancel(from, byId(call))
    }
    const calls = [await missed(ANNA), await missed(CARA)]
    await h.invite(4, [BEN])
    expect(await h.calls.stateOf(BEN)).toMatchObject({ calls: [{ inviter: { userId: 4 } }], missed: 2 })
    expect(await h.calls.setSeen(BEN, calls[0]?.id as number)).toBe(1)
    expect(await h.calls.setSeen(BEN, calls[1]?.id as number)).toBe(0)
    expect(h.missed).toEqual(['2: 1', '2: 2', '2: 1', '2: 0'])
    expect(await h.calls.stateOf(ANNA)).toEqual({ calls: [], missed: 0 })
  })

  it('CALL-14 are listed in pages that fit into a frame, however long the names are', async () => {
    h.parts.users.find = async () => ({ displayName: '👩'.repeat(128), deletedAt: null })
    const people = Array.from({ length: 20 }, (_, i) => 50 + i)
    for (let i = 0; i < 12; i++) await h.calls.cancel(ANNA, byId(await h.invite(ANNA, people)))
    const seen: number[] = []
    for (let before: number | null = null, more = true; more; ) {
      const page = await h.calls.list(ANNA, before)
      expect(Buffer.byteLength(JSON.stringify(page.calls.map(presentCall)))).toBeLessThan(
        CALL_PAGE_BYTES + 1000,
      )
      expect(page.calls.length).toBeLessThan(CALL_LIST_MAX)
      seen.push(...page.calls.map(({ id }) => id))
      before = seen.at(-1) as number
      more = page.hasMore
    }
    expect(seen).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1])
  })

  it('CALL-17 are removed after a year', async () => {
    const call = await h.invite(ANNA, [BEN])
    await h.calls.cancel(ANNA, byId(call))
    h.nowMs += 364 * 86_400_000
    await h.calls.sweep()
    expect(await h.state(call)).not.toBe('none')
    h.nowMs += 2 * 86_400_000
    await h.calls.sweep()
    expect(await h.state(call)).toBe('none')
  })
})

import { Refusal } from '@lectern/protocol'
import { describe, expect, it } from 'vitest'
import type { OrdinaryConferenceStore } from '../../../sessions/stores/conferences.ts'
import type { CallStore } from '../../stores/calls.ts'
import type { PushCallOutboxStore } from '../../stores/push-call-outbox.ts'
import { applyEvent, type Call, createCall } from '../call-state.ts'
import type { NewCall } from '../ports.ts'

const NOW = 1_700_000_000_000
let commands = 0

interface Options {
  inviter?: number
  people?: number[]
  tag?: string
  isNewConference?: boolean
  createdAtMs?: number
  commandId?: string
}

function newCall(options: Options = {}): NewCall {
  const { inviter = 1, people = [2], isNewConference = true, createdAtMs = NOW } = options
  commands += 1
  const call = createCall({
    tag: options.tag ?? `tag-${commands}`,
    ownsConference: isNewConference,
    video: true,
    inviter: { userId: inviter, displayName: `User ${inviter}` },
    people: people.map(userId => ({ userId, displayName: `Ärger ${userId} 👋`, state: 'ringing' as const })),
    createdAtMs,
    ringUntilMs: createdAtMs + 45_000,
  })
  return { ...call, commandId: options.commandId ?? `c${commands}`, title: isNewConference ? 'A, B' : null }
}

/** The contract of call stores. Each call of `open` returns empty ones. */
export function describeCallStore(
  open: () => Promise<{
    calls: CallStore
    conferences: OrdinaryConferenceStore
    /** Calls of which people may have to be notified. */
    outbox: PushCallOutboxStore
  }>,
) {
  describe('call store', () => {
    const added = async (store: CallStore, options: Options = {}) => (await store.add(newCall(options))).call
    const end = async (store: CallStore, call: Call, at = NOW) => {
      const ended = await store.save(applyEvent(call, { is: 'cancel', isInside: false }, at))
      if (!ended) throw new Error('the call was changed meanwhile')
      return ended
    }
    const ids = (calls: Call[]) => calls.map(call => call.id)

    it('CALL-2 stores a call with its conference, and finds it as it was added', async () => {
      const { calls, conferences } = await open()
      const { commandId: _, title, ...call } = newCall({ people: [3, 2, 9] })
      const { is, call: stored } = await calls.add({ ...call, commandId: 'c', title })
      expect(is).toBe('added')
      expect(stored).toEqual({ ...call, id: expect.any(Number), revision: 1 })
      expect(await calls.find(stored.id)).toEqual(stored)
      expect(await calls.find(stored.id + 1)).toBeNull()
      expect(await conferences.find(call.tag)).toMatchObject({
        ownerId: 1,
        title,
        purpose: 'call',
        entry: 'open',
      })
    })

    it('stores each change of the people for whom a call rings together with the call, for notifications', async () => {
      const { calls, outbox } = await open()
      const call = await added(calls, { people: [2, 3] })
      const changes = async () => (await outbox.list(10)).map(({ callId, revision }) => [callId, revision])
      expect(await changes()).toEqual([[call.id, 1]])
      const accept = { is: 'accept', userId: 2, answerId: 'a' } as const
      const answered = await calls.save(applyEvent(call, accept, NOW))
      expect(await calls.save(applyEvent(call, accept, NOW))).toBeNull()
      if (!answered) throw new Error('not saved')
      const left = await calls.save(applyEvent(answered, { is: 'leave', userId: 2 }, NOW))
      expect(await changes()).toEqual([
        [call.id, 1],
        [call.id, 2],
      ])
      await end(calls, left ?? answered)
      expect(await changes()).toHaveLength(3)
      await calls.add({ ...newCall({ people: [2, 3] }), commandId: 'same' })
      await calls.add({ ...newCall({ people: [2, 3] }), commandId: 'same' })
      expect(await changes()).toHaveLength(4)
      expect(await outbox.list(2)).toEqual([
        { callId: call.id, revision: 1 },
        { callId: call.id, revision: 2 },
      ])
      await outbox.remove([{ callId: call.id, revision: 1 }])
      await outbox.remove([])
      expect((await changes())[0]).toEqual([call.id, 2])
    })

    it('CALL-3 stores a call once for each command of its inviter', async () => {
      const { calls } = await open()
      const first = newCall({ commandId: 'same', people: [2, 3] })
      const { call } = await calls.add(first)
      expect(await calls.add({ ...newCall({ people: [2, 3] }), commandId: 'same' })).toEqual({
        is: 'existing',
        call,
      })
      expect((await calls.add(newCall({ commandId: 'same', inviter: 7 }))).is).toBe('added')
    })

    it('CALL-5 has one ringing call between two people, in either direction', async () => {
      const { calls, conferences } = await open()
      const [one, other] = await Promise.all([
        calls.add(newCall({ inviter: 1, people: [2], tag: 'one' })),
        calls.add(newCall({ inviter: 2, people: [1], tag: 'other' })),
      ])
      expect([one.is, other.is].sort()).toEqual(['added', 'existing'])
      expect(one.call).toEqual(other.call)
      const unused = one.is === 'added' ? 'other' : 'one'
      expect(await conferences.find(unused)).toBeNull()
      // Calls of several people, and calls into a conference, are calls of their own.
      expect((await calls.add(newCall({ inviter: 2, people: [1, 3] }))).is).toBe('added')
      expect(
        (await calls.add(newCall({ inviter: 2, people: [1], tag: 'x', isNewConference: false }))).is,
      ).toBe('added')
      await end(calls, one.call)
      expect((await calls.add(newCall({ inviter: 2, people: [1] }))).is).toBe('added')
    })

    it('CALL-5 finds the call that a command has accepted, also after it was left', async () => {
      const { calls } = await open()
      const call = await added(calls)
      const accepted = applyEvent(call, { is: 'accept', userId: 2, answerId: 'mine' }, NOW)
      const saved = (await calls.save(accepted)) as Call
      const repeated = () => calls.add(newCall({ inviter: 2, people: [1], commandId: 'mine' }))
      expect(await repeated()).toEqual({ is: 'existing', call: saved })
      const ended = await calls.save(applyEvent(saved, { is: 'complete' }, NOW))
      expect(await repeated()).toEqual({ is: 'existing', call: ended })
    })

    it('CALL-7 refuses to save over a concurrent change', async () => {
      const { calls } = await open()
      const call = await added(calls, { people: [2, 3] })
      const accepted = applyEvent(call, { is: 'accept', userId: 3, answerId: 'x' }, NOW + 5)
      const results = await Promise.all([calls.save(accepted), calls.save(accepted)])
      const [saved, ...others] = results.filter(result => result !== null)
      expect(others).toEqual([])
      expect(saved).toEqual({ ...accepted, revision: 2 })
      expect(await calls.save(applyEvent(call, { is: 'cancel', isInside: false }, NOW))).toBeNull()
      expect(await calls.find(call.id)).toEqual(saved)
      const declined = applyEvent(saved as Call, { is: 'decline', userId: 2, isBusy: true }, NOW)
      expect(await calls.save(declined)).toEqual({ ...declined, revision: 3 })
      const ended = applyEvent({ ...declined, revision: 3 }, { is: 'complete' }, NOW + 9)
      await calls.save(ended)
      expect(await calls.find(call.id)).toEqual({ ...ended, revision: 4 })
    })

    it('CALL-16 closes a conference with the last of its calls', async () => {
      const { calls, conferences } = await open()
      const call = await added(calls, { tag: 'shared' })
      const second = await added(calls, { tag: 'shared', isNewConference: false, people: [3] })
      const purpose = async () => (await conferences.find('shared'))?.purpose
      await end(calls, call)
      expect(await purpose()).toBe('call')
      await end(calls, second)
      expect(await purpose()).toBe('past_call')
      // Somebody invited while the last call ended.
      const late = calls.add(newCall({ tag: 'shared', isNewConference: false, people: [4] }))
      await expect(late).rejects.toThrow(new Refusal('conference_not_found').message)
      // A conference that was not made for calls stays.
      await conferences.add({
        tag: 'm',
        title: '',
        ownerId: 1,
        createdAtMs: 1,
        entry: 'open',
        purpose: 'meeting',
      })
      await end(calls, await added(calls, { tag: 'm', isNewConference: false }))
      expect((await conferences.find('m'))?.purpose).toBe('meeting')
    })

    it('lists the open calls of an account, of a conference and of all', async () => {
      const { calls } = await open()
      const asInviter = await added(calls, { inviter: 1, people: [2] })
      const asInvited = await added(calls, { inviter: 3, people: [1, 4], tag: 'b', isNewConference: false })
      const others = await added(calls, { inviter: 3, people: [4] })
      const over = await end(calls, await added(calls, { inviter: 1, people: [5] }))
      expect(await calls.listOpenOf(1, 10)).toEqual([asInvited, asInviter])
      expect(await calls.listOpenOf(1, 1)).toEqual([asInvited])
      expect(await calls.findOpenIn('b', 1)).toEqual(asInvited)
      expect([await calls.findOpenIn('b', 2), await calls.findOpenIn(over.tag, 1)]).toEqual([null, null])
      expect(ids(await calls.listOpen({}))).toEqual(ids([asInviter, asInvited, others]))
      expect(await calls.listOpen({ tag: 'b' })).toEqual([asInvited])
      expect([await calls.countOpenBy(1), await calls.countOpenBy(3), await calls.countOpenBy(9)]).toEqual([
        1, 2, 0,
      ])
    })

    it('CALL-4 finds people for whom many calls ring', async () => {
      const { calls } = await open()
      const [one] = [
        await added(calls, { inviter: 1, people: [9, 8] }),
        await added(calls, { inviter: 2, people: [9] }),
      ]
      expect(await calls.whoHasRinging([7, 8, 9], 2)).toEqual([9])
      await calls.save(applyEvent(one, { is: 'accept', userId: 9, answerId: null }, NOW))
      expect(await calls.whoHasRinging([7, 8, 9], 2)).toEqual([])
      expect((await calls.whoHasRinging([7, 8, 9], 1)).sort()).toEqual([8, 9])
    })

    it('CALL-14 pages through the history of an account, newest first', async () => {
      const { calls } = await open()
      const all: number[] = []
      for (let i = 0; i < 9; i++) {
        const call = await added(calls, i % 2 ? { inviter: 1, people: [2] } : { inviter: 3 + i, people: [1] })
        all.unshift(call.id)
        await end(calls, call)
        await added(calls, { inviter: 20 + i, people: [30 + i] })
      }
      const page = async (before: number | null, limit: number) => {
        const { calls: listed, hasMore } = await calls.list(1, before, limit)
        return [ids(listed), hasMore]
      }
      expect(await page(null, 4)).toEqual([all.slice(0, 4), true])
      expect(await page(all[3] as number, 4)).toEqual([all.slice(4, 8), true])
      expect(await page(all[7] as number, 4)).toEqual([all.slice(8), false])
      expect(await page(null, 9)).toEqual([all, false])
      expect(await calls.list(99, null, 4)).toEqual({ calls: [], hasMore: false })
    })

    it('CALL-15 counts missed calls after the last viewed one', async () => {
      const { calls } = await open()
      const missed: Call[] = []
      for (let i = 0; i < 3; i++) missed.push(await end(calls, await added(calls, { people: [2, 3 + i] })))
      await added(calls, { people: [2] })
      expect([
        await calls.countMissed(2, 99),
        await calls.countMissed(2, 2),
        await calls.countMissed(1, 99),
      ]).toEqual([3, 2, 0])
      await calls.setSeen(2, missed[1]?.id as number)
      expect(await calls.countMissed(2, 99)).toBe(1)
      await calls.setSeen(2, missed[0]?.id as number)
      expect(await calls.countMissed(2, 99)).toBe(1)
    })

    it('CALL-17 removes old calls, and all but the newest of an inviter', async () => {
      const { calls, conferences } = await open()
      const old = await end(calls, await added(calls, { createdAtMs: NOW - 1000 }))
      const kept = [await end(calls, await added(calls)), await end(calls, await added(calls))]
      const ringing = await added(calls, { createdAtMs: NOW - 1000 })
      const options = { beforeMs: NOW, keepPerInviter: 100, limit: 10 }
      expect([await calls.sweep(options), await calls.sweep(options)]).toEqual([1, 0])
      expect([await calls.find(old.id), (await calls.find(ringing.id))?.id]).toEqual([null, ringing.id])
      // The names of its people go with it.
      const titleOf = async ({ tag }: Call) => (await conferences.find(tag))?.title
      expect([await titleOf(old), await titleOf(ringing)]).toEqual([old.tag, 'A, B'])
      expect(await calls.sweep({ ...options, keepPerInviter: 1 })).toBe(1)
      expect(ids((await calls.list(2, null, 10)).calls)).toEqual([ringing.id, kept[1]?.id])
    })
  })
}

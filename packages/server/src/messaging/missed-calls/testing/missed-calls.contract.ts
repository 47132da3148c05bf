import type { Kysely } from 'kysely'
import { describe, expect, it } from 'vitest'
import { userStore } from '../../../accounts/stores/users.ts'
import type { MainSchema } from '../../../platform/db/schema.ts'
import { applyEvent, type Call, type CallEvent, createCall } from '../../calls/call-state.ts'
import { callStore } from '../../stores/calls.ts'
import { missedCallMailStore } from '../../stores/missed-call-mails.ts'

const NOW = 1_700_000_000_000
const MINUTE_MS = 60_000
const ALL = { all: 10, each: 10, except: [] }

/** The contract of the queue of mails of missed calls. */
export function describeMissedCallMailStore(open: () => Promise<Kysely<MainSchema>>): void {
  /** Ben, and people who want mails, in an empty database. */
  const prepare = async () => {
    const db = await open()
    const users = userStore(db)
    const addUser = async (login: string, wants = true) => {
      const own = { login, displayName: login, kind: 'ordinary', createdAt: 1 } as const
      const user = await users.add({
        ...own,
        capabilities: [],
        passwordHash: null,
        email: `${login}@school.example`,
      })
      const id = Number(user?.id)
      await users.update(id, { missedCallMails: wants })
      return id
    }
    const calls = callStore(db, { isForPush: false, isForMail: true })
    const mails = missedCallMailStore(db)
    let count = 0
    /** A call that has ended after these events, a minute after the one before. */
    const call = async (inviter: number, people: number[], events: CallEvent[], passedMs = MINUTE_MS) => {
      nowMs += passedMs
      const name = (userId: number) => ({ userId, displayName: `User ${userId}` })
      const begun = createCall({
        tag: `tag-${++count}`,
        ownsConference: true,
        video: true,
        inviter: name(inviter),
        people: people.map(id => ({ ...name(id), state: 'ringing' as const })),
        createdAtMs: nowMs,
        ringUntilMs: nowMs + 45_000,
      })
      let { call } = await calls.add({ ...begun, commandId: `c${count}`, title: 'A call' })
      for (const event of [...events, { is: 'complete' } as const])
        if (call.state.is !== 'ended') call = (await calls.save(applyEvent(call, event, nowMs))) as Call
      return call
    }
    let nowMs = NOW
    const due = async (atMs = nowMs) => (await mails.due(atMs, ALL)).map(({ id }) => id)
    return { db, users, addUser, mails, call, due, now: () => nowMs }
  }

  describe('the queue of mails of missed calls', () => {
    it('MISS-1 has one for each who missed the whole call and wants mails, from its end on', async () => {
      const { users, addUser, call, due } = await prepare()
      const [ben, anna, carl, dora] = [
        await addUser('ben'),
        await addUser('anna'),
        await addUser('carl', false),
        await addUser('dora'),
      ]
      await users.update(dora, { email: null })
      const missed = await call(ben, [anna, carl, dora], [])
      expect(await due()).toEqual([`${missed.id}-${anna}`])
    })

    it.each<{ what: string; events: (id: number) => CallEvent[] }>([
      { what: 'answered', events: userId => [{ is: 'accept', userId, answerId: 'a' }] },
      { what: 'declined', events: userId => [{ is: 'decline', userId, isBusy: false }] },
      { what: 'were in another call', events: userId => [{ is: 'decline', userId, isBusy: true }] },
    ])('MISS-1 has none for people who $what', async ({ events }) => {
      const { addUser, call, due } = await prepare()
      const [ben, anna] = [await addUser('ben'), await addUser('anna')]
      await call(ben, [anna], events(anna))
      expect(await due()).toEqual([])
    })

    it('MISS-1 has none for people who came later, while others were in the call', async () => {
      const { addUser, call, due } = await prepare()
      const [ben, anna, carl] = [await addUser('ben'), await addUser('anna'), await addUser('carl')]
      const { id } = await call(
        ben,
        [anna, carl],
        [
          { is: 'accept', userId: carl, answerId: 'a' },
          { is: 'timeout' },
          { is: 'accept', userId: anna, answerId: 'b' },
        ],
      )
      expect(id).toBeGreaterThan(0)
      expect(await due()).toEqual([])
    })

    it('MISS-4 has one for each caller, and five in all, within an hour', async () => {
      const { addUser, call, due } = await prepare()
      const anna = await addUser('anna')
      const callers = [1, 2, 3, 4, 5, 6].map(number => 100 + number)
      for (const caller of callers) for (const _ of [1, 2]) await call(caller, [anna], [])
      expect(await due()).toHaveLength(5)
      await call(200, [anna], [], 60 * MINUTE_MS)
      expect(await due()).toHaveLength(6)
      // The clock is set back: what was counted then says nothing about now.
      const again = await call(200, [anna], [], -48 * 60 * MINUTE_MS)
      expect(await due()).toEqual([`${again.id}-${anna}`])
    })

    it('MISS-3 leases a mail to one process at a time, five times, and until it is settled', async () => {
      const { addUser, call, mails, due, now } = await prepare()
      const [ben, anna] = [await addUser('ben'), await addUser('anna')]
      const { id } = await call(ben, [anna], [])
      const mail = `${id}-${anna}`
      const lease = (token: string, atMs: number) =>
        mails.lease([mail], { token, untilMs: atMs + MINUTE_MS }, atMs)
      expect(await lease('a', now())).toEqual([{ id: mail, userId: anna, attempts: 1 }])
      expect(await lease('b', now())).toEqual([])
      // The process was killed four times.
      for (const attempt of [1, 2, 3, 4])
        expect(await lease('b', now() + attempt * MINUTE_MS)).toMatchObject([{ attempts: attempt + 1 }])
      expect(await due(now() + 60 * MINUTE_MS)).toEqual([])

      const next = await call(100, [anna], [])
      const other = `${next.id}-${anna}`
      await mails.lease([other], { token: 'a', untilMs: now() + MINUTE_MS }, now())
      await mails.settle(other, 'b', { is: 'done' }) // no longer its holder
      expect(await due(now() + MINUTE_MS)).toEqual([other])
      await mails.settle(other, 'a', { is: 'retry', atMs: now() + 2 * MINUTE_MS })
      expect(await due(now() + MINUTE_MS)).toEqual([])
      await mails.lease([other], { token: 'a', untilMs: now() }, now() + 2 * MINUTE_MS)
      await mails.settle(other, 'a', { is: 'done' })
      expect(await due(now() + 60 * MINUTE_MS)).toEqual([])
      expect(await mails.due(now() + 60 * MINUTE_MS, { ...ALL, except: ['mail'] })).toEqual([])
    })

    it('MISS-3 counts no attempt that has sent nothing, and waits no longer after the clock was set back', async () => {
      const { addUser, call, mails, due, now } = await prepare()
      const [ben, anna] = [await addUser('ben'), await addUser('anna')]
      const mail = `${(await call(ben, [anna], [])).id}-${anna}`
      const lease = () => mails.lease([mail], { token: 'a', untilMs: now() + MINUTE_MS }, now())
      for (let i = 0; i < 7; i += 1) {
        expect(await lease()).toMatchObject([{ attempts: 1 }])
        await mails.settle(mail, 'a', { is: 'returned', atMs: now() })
      }
      await lease()
      await mails.settle(mail, 'a', { is: 'retry', atMs: now() + MINUTE_MS })
      const setBackMs = 60 * MINUTE_MS
      await mails.bringForward(setBackMs, now() - setBackMs)
      expect(await due(now() - setBackMs)).toEqual([])
      expect(await due(now() - setBackMs + MINUTE_MS)).toEqual([mail])
    })

    it('MISS-2 has nothing to say any more after a change of mind, of the account, or a block', async () => {
      const { db, users, addUser, call, mails } = await prepare()
      const [ben, anna] = [await addUser('ben'), await addUser('anna')]
      const { id } = await call(ben, [anna], [])
      const describe = () => mails.describe(`${id}-${anna}`)
      const notice = {
        ...{ callId: id, userId: anna, email: 'anna@school.example', language: null },
        ...{ name: 'anna', caller: `User ${ben}`, calledAtMs: NOW + MINUTE_MS },
      }
      expect(await describe()).toEqual(notice)
      const undo = { missedCallMails: true, email: 'anna@school.example', disabledAt: null }
      for (const change of [{ missedCallMails: false }, { email: null }, { disabledAt: 1 }]) {
        await users.update(anna, change)
        expect(await describe(), JSON.stringify(change)).toBeNull()
        await users.update(anna, undo)
      }
      for (const [user_id, contact_id] of [
        [anna, ben],
        [ben, anna],
      ] as const) {
        await db.insertInto('contacts').values({ user_id, contact_id, state: 'blocked', sent: 0 }).execute()
        expect(await describe()).toBeNull()
        await db.deleteFrom('contacts').execute()
      }
      expect(await describe()).toEqual(notice)
      await users.update(ben, { deletedAt: 1 })
      expect(await describe()).toBeNull()
    })

    it('is swept by age', async () => {
      const { db, addUser, call, mails, now } = await prepare()
      const anna = await addUser('anna')
      await call(100, [anna], [])
      await call(101, [anna], [])
      await mails.sweep(now())
      expect(await db.selectFrom('missed_call_mails').select('inviter_id').execute()).toEqual([
        { inviter_id: 101 },
      ])
    })
  })
}

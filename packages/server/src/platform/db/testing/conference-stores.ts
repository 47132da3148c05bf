import { expect, it } from 'vitest'
import { createDatabaseClock } from '../../../cluster/testing/database-clock.ts'
import { describeLeaseStore } from '../../../cluster/testing/leases.contract.ts'
import { describeCallStore } from '../../../messaging/calls/testing/calls.contract.ts'
import { describeOrdinaryConferenceStore } from '../../../messaging/directory/conferences.contract.ts'
import { describeMissedCallMailStore } from '../../../messaging/missed-calls/testing/missed-calls.contract.ts'
import { callStore } from '../../../messaging/stores/calls.ts'
import { pushCallOutboxStore } from '../../../messaging/stores/push-call-outbox.ts'
import { jobStore } from '../../../records/stores/jobs.ts'
import { boardStore } from '../../../sessions/stores/boards.ts'
import { chatStore } from '../../../sessions/stores/chat.ts'
import { sessionStore } from '../../../sessions/stores/conference-sessions.ts'
import { ordinaryConferenceStore } from '../../../sessions/stores/conferences.ts'
import { participantStore } from '../../../sessions/stores/participants.ts'
import { leaseStore } from '../../../sessions/stores/session-leases.ts'
import { describeBoardStore } from '../../../sessions/testing/boards.contract.ts'
import { describeChatStore } from '../../../sessions/testing/chat.contract.ts'
import { describeParticipantStore } from '../../../sessions/testing/participants.contract.ts'
import { describeSessionStore } from '../../../sessions/testing/sessions.contract.ts'
import type { TestStores } from './test-stores.ts'

export function describeConferenceStores({ main }: TestStores): void {
  describeSessionStore(async () => sessionStore(await main()))
  describeParticipantStore(async () => {
    const db = await main()
    return { participants: participantStore(db), sessions: sessionStore(db) }
  })
  describeChatStore(async () => chatStore(await main()))
  describeBoardStore(async () => {
    const db = await main()
    const conferences = ordinaryConferenceStore(db)
    const tag = 'aaaa-bbbbb-cccc'
    await conferences.add({ tag, title: '', ownerId: 7, createdAtMs: 1, entry: 'open', purpose: 'meeting' })
    return {
      boards: boardStore(db),
      remove: tag => conferences.remove(tag, 1),
      lostLease: async () => {
        const { sessionId } = await sessionStore(db).findOrOpen(tag, 1)
        return { sessionId, incarnation: 1, owner: 'another server' }
      },
    }
  })
  describeLeaseStore(async () => {
    const db = await main()
    const { nowMs, pass } = await createDatabaseClock(db as never)
    const [leases, sessions] = [leaseStore(db, nowMs), sessionStore(db)]
    return { leases, sessions, chat: chatStore(db), jobs: jobStore(db), pass }
  })
  describeOrdinaryConferenceStore(async () => ordinaryConferenceStore(await main()))
  describeCallStore(async () => {
    const db = await main()
    const calls = callStore(db, { isForPush: true, isForMail: true })
    return { calls, conferences: ordinaryConferenceStore(db), outbox: pushCallOutboxStore(db) }
  })
  describeMissedCallMailStore(main)

  it('CALL-2 a session in a conference made for a call has a chat of its own, also after the call', async () => {
    const db = await main()
    const [conferences, sessions] = [ordinaryConferenceStore(db), sessionStore(db)]
    const conference = { title: '', ownerId: 7, createdAtMs: 1, entry: 'open' } as const
    const chatIds: string[] = []
    for (const purpose of ['meeting', 'call', 'past_call'] as const) {
      await conferences.add({ ...conference, tag: purpose, purpose })
      chatIds.push((await sessions.findOrOpen(purpose, 1)).chatId)
    }
    expect(chatIds).toEqual(['conference:meeting', 'session:2', 'session:3'])
  })
}

import { beforeEach, describe, expect, it } from 'vitest'
import type { UserStore } from '../../accounts/stores/users.ts'
import { AuditLog } from '../../operations/audit/audit-log.ts'
import type { AuditStore } from '../../operations/stores/audit.ts'
import type { RetentionStore } from '../../operations/stores/retention.ts'
import { createLog } from '../../platform/log.ts'
import type { ChatStore } from '../../sessions/ports.ts'
import { localLease } from '../../sessions/testing/local-lease.ts'
import { OwnRecordings } from '../own-recordings.ts'
import { Retention } from '../retention.ts'
import type { OwnRecordingStore } from '../stores/own-recordings.ts'
import type { RecordingRemovalStore } from '../stores/recording-removals.ts'
import type { RecordingStore } from '../stores/recordings.ts'
import type { TranscriptStore } from '../stores/transcripts.ts'

interface Stores {
  retention: RetentionStore
  recordings: RecordingStore
  removals: RecordingRemovalStore
  transcripts: TranscriptStore
  own: OwnRecordingStore
  chat: ChatStore
  audit: AuditStore
  users: UserStore
  setLastMessage: (chatId: string, id: number) => Promise<unknown>
  lastMessage: (chatId: string) => Promise<number | undefined>
}

const DAY_MS = 86_400_000
const NOW = 100 * DAY_MS
const LEASE = localLease({ sessionId: 1 })
const log = createLog('silent')
const clock = () => NOW

/** The contract of retention. Each call of `open` returns empty stores. */
export function describeRetention(open: () => Promise<Stores>) {
  describe('retention', () => {
    let stores: Stores
    let removedFiles: string[]
    beforeEach(async () => {
      stores = await open()
      removedFiles = []
    })

    const addRecording = (jobId: string, endedAtMs: number) =>
      stores.recordings.add({
        jobId,
        ownerId: 7,
        conferenceTag: 'of-a-partner',
        conferenceSessionId: 3,
        profile: 'consolidated_native',
        status: 'completed',
        startedAtMs: endedAtMs - 1000,
        endedAtMs,
        durationMs: 1000,
        outputDir: '',
        files: [{ path: 'a', blobId: `b_${jobId}`, size: 1, contentType: 'a/b', sha256: 'ab' }],
        artifact: {},
        indexedAt: 21,
      })
    const addTranscript = (jobId: string, endedAtMs: number) =>
      stores.transcripts.add({
        jobId,
        conferenceTag: 'of-a-partner',
        conferenceSessionId: 3,
        status: 'completed',
        language: 'en',
        engine: 'vosk',
        startedAtMs: endedAtMs - 1000,
        endedAtMs,
        reason: 'stopped',
        text: jobId,
        segments: [],
        indexedAt: 22,
      })
    const say = (chatId: string, commandId: string, sentAtMs: number) =>
      stores.chat.append(
        { chatId, userId: 7, commandId, displayName: 'Anna', text: commandId, sentAtMs },
        LEASE,
      )
    const sweep = (days: { recordings: number | null; chats: number | null; guests?: number }) => {
      const blobs = { remove: async (id: string) => void removedFiles.push(id) }
      const own = new OwnRecordings({ store: stores.own, removals: stores.removals, blobs, clock, log })
      const audit = new AuditLog(stores.audit, clock)
      const actor = { kind: 'command_line', name: '[Retention]', address: null } as const
      return new Retention({
        store: stores.retention,
        removeRecording: async target => {
          if (target === 'stuck') throw new Error('stuck')
          const action = { actor, action: 'recording.delete', target, details: {} } as const
          await audit.run(action, () => own.removeAny(target))
        },
        anonymizeGuests: (beforeMs, limit) => stores.users.anonymizeGuests(beforeMs, limit, 5),
        days: { guests: null, ...days },
        clock,
        log,
      }).sweep()
    }

    it('removes old recordings with their files and transcripts, and notes it in the audit log', async () => {
      await addRecording('old', NOW - 31 * DAY_MS)
      await addRecording('new', NOW - 29 * DAY_MS)
      await addTranscript('old-text', NOW - 31 * DAY_MS)
      await addTranscript('new-text', NOW - 29 * DAY_MS)
      await sweep({ recordings: null, chats: 1 })
      expect(await stores.recordings.count()).toBe(2)

      await sweep({ recordings: 30, chats: null })
      expect((await stores.recordings.list(10)).map(({ jobId }) => jobId)).toEqual(['new'])
      expect(removedFiles).toEqual(['b_old'])
      expect(await stores.removals.listPending()).toEqual([])
      expect(await stores.transcripts.find('old-text')).toBeNull()
      expect(await stores.transcripts.find('new-text')).not.toBeNull()
      expect(await stores.audit.list({}, { limit: 10 })).toMatchObject([
        { action: 'recording.delete', target: 'old', outcome: 'done' },
      ])
      // A recorder that repeats its result brings nothing back.
      expect(await addRecording('old', NOW - 31 * DAY_MS)).toBe(false)
    })

    it('removes what it can where a recording cannot be removed', async () => {
      await addRecording('stuck', NOW - 32 * DAY_MS)
      await addRecording('old', NOW - 31 * DAY_MS)
      await addTranscript('old-text', NOW - 40 * DAY_MS)
      await expect(sweep({ recordings: 30, chats: null })).rejects.toThrow('stuck')
      expect((await stores.recordings.list(10)).map(({ jobId }) => jobId)).toEqual(['stuck'])
      expect(await stores.transcripts.find('old-text')).toBeNull()
    })

    it('removes old messages, and no conversation refers to them', async () => {
      const first = await say('quiet', 'one', NOW - 40 * DAY_MS)
      await say('busy', 'two', NOW - 40 * DAY_MS)
      const last = await say('busy', 'three', NOW)
      await stores.setLastMessage('quiet', first?.messageId ?? 0)
      await stores.setLastMessage('busy', last?.messageId ?? 0)
      await sweep({ recordings: 1, chats: 30 })
      const size = { limit: 10, bytes: 10_000 }
      expect(await stores.chat.page('quiet', null, size)).toEqual({ messages: [], hasOlder: false })
      expect((await stores.chat.page('busy', null, size)).messages).toMatchObject([{ text: 'three' }])
      expect([await stores.lastMessage('quiet'), await stores.lastMessage('busy')]).toEqual([
        0,
        last?.messageId,
      ])
    })

    it('removes guests who have not come for long, if it is asked to', async () => {
      const add = (login: string, ageDays: number) =>
        stores.users.add({
          login,
          displayName: login,
          kind: 'guest',
          passwordHash: null,
          capabilities: [],
          createdAt: (NOW - ageDays * DAY_MS) / 1000,
        })
      const old = await add('guest-1', 31)
      await add('guest-2', 29)
      await sweep({ recordings: 1, chats: 1 })
      expect(await stores.users.findByLogin('guest-1')).toEqual(old)
      await sweep({ recordings: null, chats: null, guests: 30 })
      const names = (await stores.users.list()).map(({ displayName }) => displayName)
      expect(names).toEqual(['', 'guest-2'])
    })

    it('uses no id again, so that new messages do not count as read', async () => {
      await say('quiet', 'one', NOW - 41 * DAY_MS)
      const newest = await say('quiet', 'two', NOW - 40 * DAY_MS)
      await sweep({ recordings: null, chats: 30 })
      const { messages } = await stores.chat.page('quiet', null, { limit: 10, bytes: 10_000 })
      expect(messages).toMatchObject([{ text: '', displayName: '', isDeleted: true }])
      const next = await say('quiet', 'three', NOW)
      expect(next?.messageId).toBeGreaterThan(newest?.messageId ?? 0)
    })
  })
}

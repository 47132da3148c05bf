import { roomStore } from '../../partners/stores/rooms.ts'
import { openIntegrationStore, openMainStore } from '../../platform/db/open.ts'
import { Lifetime } from '../../platform/lifetime.ts'
import { createLog } from '../../platform/log.ts'
import type { TestServer } from '../../testing/server.ts'
import { Archive, type FinishedRecording } from '../archive.ts'
import { recordingScope } from '../scope.ts'
import { openBlobs } from '../storage/open.ts'
import { blobIndex } from '../stores/blobs.ts'
import { recordingStore } from '../stores/recordings.ts'
import { upload } from './uploads.ts'

/** The account that uploads in tests. */
const RECORDER = 999_999

/** The archive of a running server, opened by a second connection. */
export async function openTestArchive({ config }: TestServer) {
  const lifetime = new Lifetime(createLog('silent'))
  const close = (store: { close(): Promise<void> }) => store.close()
  const { db } = lifetime.own('main store', await openMainStore(config.Db.Url), close)
  const integration = lifetime.own('rooms', await openIntegrationStore(config.Db.IntegrationDb), close)
  const rooms = roomStore(integration.db)
  const store = recordingStore(db)
  const log = createLog('silent')
  const parts = { storage: config.Storage, index: blobIndex(db), clock: Date.now, log }
  const blobs = lifetime.own('files', await openBlobs(parts), each => each.close())
  const archive = new Archive({
    store,
    blobs,
    ownerOf: async tag => (await rooms.findByTag(tag))?.clientId ?? null,
    clock: Date.now,
    onAdded: () => {},
  })
  return {
    blobs,
    store,
    archive,
    close: lifetime.close,
    addBlob: (tag: string, bytes: Buffer | string, about: Parameters<typeof upload>[2] = {}) =>
      upload(blobs, Buffer.from(bytes), { ownerId: RECORDER, scope: recordingScope(tag), ...about }),
    addRecording: (conferenceTag: string, jobId: string, changes: Partial<FinishedRecording> = {}) =>
      archive.add({
        jobId,
        conferenceTag,
        conferenceSessionId: 3,
        profile: 'consolidated_native',
        status: 'completed',
        startedAtMs: 1_700_000_000_123,
        endedAtMs: 1_700_000_020_456,
        durationMs: 20_333,
        outputDir: '/var/jobs/1',
        blobIds: [],
        artifact: { tracks: 3 },
        ...changes,
      }),
  }
}

export type TestArchive = Awaited<ReturnType<typeof openTestArchive>>

import { setTimeout as sleep } from 'node:timers/promises'
import { backoffMs } from '@lectern/common'
import type { Logger } from 'pino'
import { DISK_FULL_RETRY_MAX_MS } from './disk-space.ts'
import type { StoredFile, UploadFile } from './ports.ts'
import { type AttemptOptions, sendOnce, UploadFailure } from './upload-attempt.ts'
import { type Entry, UploadLedger } from './upload-ledger.ts'

export interface UploadOptions extends AttemptOptions {
  /** Folder of the job; upload progress is stored there. */
  folder: string
  log: Logger
}

const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 60_000
/** The disk of the server is full. */
const INSUFFICIENT_STORAGE = 507
/** After this many checksum failures the local file is considered damaged. */
const RESTARTS_MAX = 3

/**
 * Uploads files, resuming across disconnects and server restarts. Resolves when the server has verified and stored each
 * of them. Rejects with the signal's reason, or with UploadFailure when the server refuses a file for good.
 */
export async function uploadFiles(options: UploadOptions, files: UploadFile[]): Promise<StoredFile[]> {
  const ledger = await UploadLedger.open(options.folder)
  const stored: StoredFile[] = []
  for (const file of files) stored.push({ path: file.path, blobId: await uploadFile(options, ledger, file) })
  return stored
}

async function uploadFile(options: UploadOptions, ledger: UploadLedger, file: UploadFile): Promise<string> {
  const { signal, log } = options
  const { path } = file
  let [failures, restarts, refused] = [0, 0, false]
  let entry = await ledger.entryFor(file, signal)
  const keep = (changed: Entry) => {
    entry = changed
    return ledger.save(path, changed)
  }
  for (;;) {
    signal.throwIfAborted()
    if (entry.isStored && entry.uploadId !== undefined) return entry.uploadId
    let saved = Promise.resolve()
    try {
      const uploadId = await sendOnce(options, file, entry, refused, {
        begun: id => {
          saved = keep({ ...entry, uploadId: id })
          saved.catch(() => {}) // reported below, when the attempt has ended
        },
        progressed: () => {
          failures = 0
        },
      })
      await saved
      await keep({ ...entry, uploadId, isStored: true })
    } catch (error) {
      await saved
      if (!(error instanceof UploadFailure)) throw error
      const { status } = error
      refused = status === 401
      const isResumed = entry.uploadId !== undefined
      if (isResumed && isUploadGone(status) && ++restarts < RESTARTS_MAX) {
        const { uploadId: _, ...withoutUpload } = entry
        await keep(withoutUpload)
      } else if (!isRetryable(status)) throw error
      const longestMs = status === INSUFFICIENT_STORAGE ? DISK_FULL_RETRY_MAX_MS : LONGEST_WAIT_MS
      const waitMs = Math.max(
        error.retryAfterMs,
        backoffMs(failures++, { firstMs: FIRST_WAIT_MS, maxMs: longestMs, jitter: 0.5 }),
      )
      log.warn(
        { path, status, reason: error.message, wait_ms: waitMs },
        'an upload was interrupted: it continues where it was',
      )
      await sleep(waitMs, undefined, { signal }).catch(() => signal.throwIfAborted())
    }
  }
}

/** The server has no such upload, or received damaged data: start over. */
const isUploadGone = (status: number | null) => status === 400 || status === 404 || status === 410

const isRetryable = (status: number | null) =>
  status === null || status >= 500 || [401, 408, 409, 423, 429].includes(status)

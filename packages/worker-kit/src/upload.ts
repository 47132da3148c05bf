import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { StoredFile, UploadFile } from './ports.ts'
import { WITHOUT_ROOM_MAX_MS } from './room.ts'
import { type AttemptOptions, sendOnce, UploadFailure } from './upload-attempt.ts'
import { type Entry, UploadLedger } from './upload-ledger.ts'

export interface UploadOptions extends AttemptOptions {
  /** Of the job; how far the uploads are is kept there. */
  folder: string
  log: Logger
}

const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 60_000
/** Status 507: the server's disk is full. */
const INSUFFICIENT_STORAGE = 507
/** Bytes that arrive wrong so often are wrong here. */
const BEGINNINGS_MAX = 3

/**
 * Resolves when the server has checked and stored each of the files, however often the connection breaks or the
 * server is away meanwhile. Rejects with the signal's reason, or with UploadFailure when the server refuses a file
 * for good.
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
  let [failures, beginnings, refused] = [0, 0, false]
  let entry = await ledger.entryOf(file, signal)
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
      if (isResumed && isLost(status) && ++beginnings < BEGINNINGS_MAX) {
        const { uploadId: _, ...anew } = entry
        await keep(anew)
      } else if (!isPassing(status)) throw error
      const longestMs = status === INSUFFICIENT_STORAGE ? WITHOUT_ROOM_MAX_MS : LONGEST_WAIT_MS
      const waitMs = Math.max(error.retryAfterMs, waitAfter(failures++, longestMs))
      log.warn({ path, status, reason: error.message, wait_ms: waitMs }, 'an upload was broken off')
      await sleep(waitMs, undefined, { signal }).catch(() => signal.throwIfAborted())
    }
  }
}

/** The server knows nothing of the upload any more, or what arrived there was wrong: it is to begin anew. */
const isLost = (status: number | null) => status === 400 || status === 404 || status === 410

const isPassing = (status: number | null) =>
  status === null || status >= 500 || [401, 408, 409, 423, 429].includes(status)

const waitAfter = (failures: number, longestMs: number) =>
  Math.min(FIRST_WAIT_MS * 2 ** failures, longestMs) * (0.5 + Math.random() / 2)

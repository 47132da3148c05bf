import { existsSync } from 'node:fs'
import { afterAll, expect, it } from 'vitest'
import { createLog } from '../platform/log.ts'
import { OwnRecordings } from './own-recordings.ts'
import { Folders } from './storage/testing/folder.ts'
import { recordOf } from './storage/testing/jobs.ts'
import type { OwnRecordingStore } from './stores/own-recordings.ts'
import { upload } from './testing/uploads.ts'

const folders = new Folders()
afterAll(folders.close)

it('completes a removal that was interrupted between its files (PLAY-5)', async () => {
  const { blobs, recordings, removals, path, seconds } = await folders.open()
  const files = []
  for (const bytes of ['one', 'two', 'three']) files.push((await upload(blobs, Buffer.from(bytes))).id)
  await recordings.add(recordOf('job', files))
  const lines: string[] = []
  let removed = 0
  const parts = {
    store: { find: async () => ({}) } as unknown as OwnRecordingStore,
    removals,
    clock: () => seconds() * 1000,
    log: createLog('error', { write: line => void lines.push(line) }),
  }
  /** The process ends after the first file. */
  const dying = new OwnRecordings({
    ...parts,
    blobs: { remove: id => (removed++ === 0 ? blobs.remove(id) : Promise.reject(new Error('killed'))) },
  })
  await dying.remove(7, 'job')
  expect(lines.join()).toContain('could not be removed: retried')
  expect(await recordings.find('job')).toBeNull()
  expect(files.map(id => existsSync(path(id)))).toEqual([false, true, true])

  await new OwnRecordings({ ...parts, blobs }).sweep()
  expect(files.map(id => existsSync(path(id)))).toEqual([false, false, false])
  expect(await removals.listPending()).toEqual([])
})

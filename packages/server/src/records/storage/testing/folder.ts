import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openMainStore } from '../../../platform/db/open.ts'
import { Lifetime } from '../../../platform/lifetime.ts'
import { createLog } from '../../../platform/log.ts'
import { blobIndex } from '../../stores/blobs.ts'
import { jobStore } from '../../stores/jobs.ts'
import { recordingRemovalStore } from '../../stores/recording-removals.ts'
import { recordingStore } from '../../stores/recordings.ts'
import { DiskBlobs } from '../disk-blobs.ts'

/** Real folders and stores, which `close` removes. */
export class Folders {
  readonly #lifetime = new Lifetime(createLog('silent'))
  close = this.#lifetime.close

  async open({ reserve = 0 } = {}) {
    const dir = mkdtempSync(join(tmpdir(), 'lectern-blobs-'))
    this.#lifetime.own('folder', dir, () => rmSync(dir, { recursive: true }))
    const store = await openMainStore(join(dir, 'main.db'))
    this.#lifetime.own('store', store, () => store.close())
    const index = blobIndex(store.db)
    const folder = join(dir, 'blobs')
    let now = 1_700_000_000_000
    const open = (reserveBytes = reserve) =>
      DiskBlobs.open({ folder, index, clock: () => now, reserve: reserveBytes })
    const passHours = (hours: number) => {
      now += hours * 3_600_000
    }
    const path = (id: string) => join(folder, id.slice(2, 4), id)
    const jobs = jobStore(store.db)
    const recordings = recordingStore(store.db)
    const removals = recordingRemovalStore(store.db)
    const seconds = () => Math.floor(now / 1000)
    return {
      db: store.db,
      folder,
      index,
      jobs,
      recordings,
      removals,
      seconds,
      path,
      passHours,
      open,
      blobs: await open(),
    }
  }
}

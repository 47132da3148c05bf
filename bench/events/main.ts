import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { args } from '../support/size.ts'
import { openDatabases } from './databases.ts'
import { measureHanging, measureRates } from './deliveries.ts'
import { measureHistory } from './history.ts'

// Events of version 2 of the partner API on both databases: how many are stored and delivered in a second, relative to bare
// inserts and requests; what receivers that hang cost the others; and reading and removing events among millions.

const parts = { rates: measureRates, hanging: measureHanging, history: measureHistory }
const chosen = args.length > 0 ? args : Object.keys(parts)

const folder = mkdtempSync(join(tmpdir(), 'lectern-bench-'))
chmodSync(folder, 0o711) // PostgreSQL runs as a user of its own
const databases = await openDatabases(folder)
try {
  for (const part of chosen)
    for (const each of databases) {
      const measure = parts[part as keyof typeof parts]
      if (!measure) throw new Error(`There is no part ${part}: ${Object.keys(parts).join(', ')}`)
      await measure(each, folder)
    }
} finally {
  for (const each of databases) await each.stop()
  rmSync(folder, { recursive: true, force: true })
}

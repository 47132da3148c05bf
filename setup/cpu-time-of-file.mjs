import { writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect } from 'vitest'

/** A setup file of vitest: says which file this process runs (setup/cpu-time.mjs). */
const folder = process.env.LECTERN_CPU_FOLDER
if (folder && process.send)
  writeFileSync(join(folder, String(process.pid)), relative(process.cwd(), expect.getState().testPath ?? ''))

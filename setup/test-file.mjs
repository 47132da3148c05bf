import { writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect } from 'vitest'

/** A setup file of vitest: says which file this process runs, for random choices and CPU time (setup/cpu-time.mjs). */
const { testPath = '' } = expect.getState()
process.env.LECTERN_TEST_FILE = testPath
const folder = process.env.LECTERN_CPU_FOLDER
if (folder && process.send)
  writeFileSync(join(folder, String(process.pid)), relative(process.cwd(), testPath))

import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'

/**
 * A setup file of vitest for tests that run in threads: notes the CPU time that the thread has used for each file
 * (setup/cpu-time.mjs), which /proc knows for the whole process only, and names the file to the processes that it starts.
 */
const folder = process.env.LECTERN_CPU_FOLDER
const before = process.threadCpuUsage?.() // Node 22 has it not
if (folder && before) {
  // biome-ignore lint/correctness/noEmptyPattern: vitest wants a pattern that names the fixtures
  afterAll(({}, { file }) => {
    const { user, system } = process.threadCpuUsage(before)
    const line = [(user + system) / 1_000_000, file.projectName, file.name].join('\t')
    appendFileSync(join(folder, 'threads'), `${line}\n`)
  })
  // biome-ignore lint/correctness/noEmptyPattern: the same
  beforeAll(({}, { file }) => {
    process.env.CPU_TIME_OF = `${file.name} (${file.projectName})`
  })
}

import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { rolldown } from 'rolldown'
import { expect, it } from 'vitest'

const EVENTS = 200_000
/** The heap that the program needs without any event, and a little more: 200,000 lines in memory would be 80 MB. */
const HEAP_MB = 24
const GROWTH_BYTES = 3_000_000
/** The test takes seconds; a busy machine must not fail it. */
const TIMEOUT_MS = 300_000

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const alias = {
  '@lectern/common': source('../../common/src/index.ts'),
  '@lectern/protocol/control/client': source('../../protocol/src/control/client.ts'),
  '@lectern/protocol/control': source('../../protocol/src/control/index.ts'),
  '@lectern/protocol': source('../../protocol/src/index.ts'),
  '@lectern/control-client': source('../../control-client/src/index.ts'),
  '@lectern/worker-kit': source('../../worker-kit/src/index.ts'),
}

it(
  'a recording with 200,000 events needs no more memory than one with none',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'lectern-long-session-'))
    try {
      const [job, archive, program] = ['job', 'archive', 'program.mjs'].map(name => join(folder, name)) as [
        ...[string, string, string],
      ]
      await mkdir(job)
      await bundle(source('testing/long-session.ts'), program)
      const limits = [`--max-old-space-size=${HEAP_MB}`, '--expose-gc']
      const { stdout } = await promisify(execFile)(process.execPath, [
        ...[...limits, program, job, archive, String(EVENTS)],
      ])
      const { outcome, before, after, end } = JSON.parse(stdout)
      expect(outcome).toBe('done')
      expect(after - before, 'while it is recorded').toBeLessThan(GROWTH_BYTES)
      expect(end - before, 'when it is finished').toBeLessThan(GROWTH_BYTES)

      expect((await stat(join(archive, 'events.jsonl'))).size).toBeGreaterThan(EVENTS * 50)
      const { attendance } = JSON.parse(await readFile(join(archive, 'report.json'), 'utf8'))
      const [, ben, mia] = attendance
      expect(attendance).toHaveLength(3)
      expect([ben.hand_count, mia.stays.length]).toEqual([(EVENTS / 100) * 4, EVENTS / 100])
    } finally {
      await rm(folder, { recursive: true })
    }
  },
  TIMEOUT_MS,
)

/** Everything in one file, from source. */
async function bundle(input: string, file: string): Promise<void> {
  const build = await rolldown({
    input,
    platform: 'node',
    resolve: { alias },
    external: /^(node:|@napi-rs\/canvas)/,
  })
  await build.write({ dir: dirname(file), entryFileNames: basename(file), chunkFileNames: '[name].mjs' })
  await build.close()
}

import { execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

const FOLDER = 'LECTERN_TEST_RUN'
const STARTED_WITHIN_MS = 180_000

/** Ends the servers of a run and removes its folder, which is `$1`. */
const END = 'for each in "$1"/*.stop; do [ -f "$each" ] && sh "$each" >/dev/null 2>&1; done; rm -rf "$1"'
const END_AFTER = `while kill -0 "$2" 2>/dev/null; do sleep 1; done; ${END}`

/** Vitest calls it before the first test of a run, and what it returns after the last one. */
export default function beginTestRun(): (() => void) | undefined {
  if (process.env[FOLDER]) return // another project of the same run has begun it
  const folder = mkdtempSync(join(tmpdir(), 'lectern-run-'))
  chmodSync(folder, 0o711) // servers may run as other users
  process.env[FOLDER] = folder
  // A run that is killed ends nothing itself.
  const guard = spawn('sh', ['-c', END_AFTER, 'sh', folder, String(process.pid)], {
    detached: true,
    stdio: 'ignore',
  })
  guard.unref()
  return () => {
    guard.kill()
    execFileSync('sh', ['-c', END, 'sh', folder])
  }
}

/**
 * A server that all test files of a run share. The first one to ask starts it, in any thread or process; all get
 * what `start` has returned, as JSON.
 *
 * @param stop the shell command that ends the server; it also runs when the test run is killed
 */
export async function sharedServer<Settings>(
  name: string,
  { start, stop }: { start: (folder: string) => Promise<Settings>; stop: (folder: string) => string },
): Promise<Settings> {
  const run = process.env[FOLDER]
  if (!run) throw new Error('shared servers need the global setup in testing/test-run.ts')
  const [folder, file] = [join(run, name), join(run, `${name}.json`)]
  if (isFirst(`${file}.lock`)) {
    writeFileSync(`${folder}.stop`, stop(folder))
    process.env.CPU_TIME_OF = `(${name})` // until the next file (setup/thread-time.mjs)
    publish(
      file,
      await start(folder).then(
        settings => ({ settings }),
        error => ({ error: String(error) }),
      ),
    )
  }
  const until = performance.now() + STARTED_WITHIN_MS
  while (!existsSync(file)) {
    if (performance.now() > until) throw new Error(`${name} was not started by another test file`)
    await delay(20)
  }
  const { settings, error } = JSON.parse(readFileSync(file, 'utf8'))
  if (error) throw new Error(`${name} was not started: ${error}`)
  return settings as Settings
}

function isFirst(lock: string): boolean {
  try {
    mkdirSync(lock)
    return true
  } catch {
    return false
  }
}

/** Publishes the file at once and as a whole. */
function publish(file: string, content: object): void {
  writeFileSync(`${file}.new`, JSON.stringify(content))
  renameSync(`${file}.new`, file)
}

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { type Finding, fail, ok, warn } from './check.ts'

const run = promisify(execFile)
const TIMEOUT_MS = 5_000
/** A cold start from a slow disk; a program that takes longer still exists. */
const START_TIMEOUT_MS = 15_000

const TODO = 'Install it: apt-get install ffmpeg.'

/** Recording needs ffmpeg and ffprobe. */
export async function findProgram(
  name: 'ffmpeg' | 'ffprobe',
  timeoutMs = START_TIMEOUT_MS,
): Promise<Finding> {
  try {
    const { stdout } = await run(name, ['-version'], { timeout: timeoutMs, killSignal: 'SIGKILL' })
    const version = /version (\S+)/.exec(stdout)?.[1]
    return version ? ok(version) : fail('Reports no version; recording needs it.', TODO)
  } catch (error) {
    const { killed, code } = error as { killed?: boolean; code?: unknown }
    if (killed)
      return warn(
        `Does not report its version within ${timeoutMs / 1000} s.`,
        `Check the load and the disk of this machine, and run it: ${name} -version.`,
      )
    if (code === 'ENOENT') return fail('Is missing; recording needs it.', TODO)
    return fail('Cannot be started; recording needs it.', `Run it to see the reason: ${name} -version.`)
  }
}

/** The first line of a program's output; null when it is missing or fails. */
export async function firstLineOf(program: string, args: string[]): Promise<string | null> {
  try {
    const { stdout } = await run(program, args, { timeout: TIMEOUT_MS })
    return stdout.split('\n')[0] ?? null
  } catch {
    return null
  }
}

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { type Finding, fail, ok } from './check.ts'

const run = promisify(execFile)
const TIMEOUT_MS = 5_000

/** Recording needs ffmpeg and ffprobe. */
export async function findProgram(name: 'ffmpeg' | 'ffprobe'): Promise<Finding> {
  const line = await firstLineOf(name, ['-version'])
  const version = line && /version (\S+)/.exec(line)?.[1]
  if (version) return ok(version)
  return fail('Cannot be started; recording needs it.', 'Install it: apt-get install ffmpeg.')
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

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { type Finding, fail, ok } from './check.ts'

const run = promisify(execFile)
const WITHIN_MS = 5_000

/** ffmpeg and ffprobe make the files of a recording. */
export async function findProgram(name: 'ffmpeg' | 'ffprobe'): Promise<Finding> {
  const line = await firstLineOf(name, ['-version'])
  const version = line && /version (\S+)/.exec(line)?.[1]
  if (version) return ok(version)
  return fail('It does not run here: recordings cannot be made.', 'Install it: apt-get install ffmpeg.')
}

/** The first line that a program prints; null when it is not there or fails. */
export async function firstLineOf(program: string, args: string[]): Promise<string | null> {
  try {
    const { stdout } = await run(program, args, { timeout: WITHIN_MS })
    return stdout.split('\n')[0] ?? null
  } catch {
    return null
  }
}

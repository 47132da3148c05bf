import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The first line of its version output, e.g. `ffmpeg version 5.1.9-0+deb12u1 …`. */
export async function ffmpegVersion(): Promise<string> {
  const { stdout } = await run('ffmpeg', ['-hide_banner', '-version']).catch(() => ({ stdout: 'not found' }))
  return stdout.split('\n')[0]?.replace(/ Copyright.*/, '') ?? ''
}

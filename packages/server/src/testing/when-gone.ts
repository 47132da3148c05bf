import { spawn } from 'node:child_process'

/**
 * Runs a shell script, with its arguments, when this thread ends for any reason: even kill -9 closes the pipe. Returns
 * what calls it off.
 */
export function whenGone(script: string, ...args: string[]): () => void {
  const child = spawn('sh', ['-c', `read -r _; ${script}`, 'guard', ...args], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  child.stdin.on('error', () => {})
  child.unref()
  return () => void child.kill('SIGKILL')
}

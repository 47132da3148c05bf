import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A temporary Node script, removed when the test ends. */
export function script(code: string): string {
  const dir = mkdtempSync(join(tmpdir(), 'lectern-workers-'))
  onTestFinished(() => rmSync(dir, { recursive: true }))
  const file = join(dir, 'program.mjs')
  writeFileSync(file, code)
  return file
}

/** Reports ready, and runs until it is stopped. */
export const RUNNING_WORKER = `
  process.on('SIGTERM', () => process.exit(0))
  process.on('disconnect', () => process.exit(0))
  setInterval(() => {}, 1000)
  process.send({ ready: true })`

/** The same, but with --standby it waits for its activation. */
export const STANDBY_WORKER = `
  if (process.argv.includes('--standby')) {
    process.send({ standby: true })
    await new Promise(begin => process.once('message', begin))
  }
  ${RUNNING_WORKER}`

export const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

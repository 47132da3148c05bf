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
export const PATIENT = `
  process.on('SIGTERM', () => process.exit(0))
  process.on('disconnect', () => process.exit(0))
  setInterval(() => {}, 1000)
  process.send({ ready: true })`

/** The same, but with --stand-by it waits for its activation. */
export const STANDING_BY = `
  if (process.argv.includes('--stand-by')) {
    process.send({ standing_by: true })
    await new Promise(begin => process.once('message', begin))
  }
  ${PATIENT}`

export const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

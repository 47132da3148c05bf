import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { useLectern } from './support/lectern.ts'

const IDLE_MS = 5_000
const LIMIT_BYTES = 120e6

const lectern = useLectern()

it('keeps an idle server process below 120 MB', async () => {
  await sleep(IDLE_MS)
  const bytes = residentBytes(lectern.pid)
  console.log(`An idle server process takes ${Math.round(bytes / 1e6)} MB.`)
  expect(bytes).toBeGreaterThan(0)
  expect(bytes).toBeLessThan(LIMIT_BYTES)
})

function residentBytes(pid: number): number {
  const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kibibytes) * 1024
}

import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { useLectern } from './support/lectern.ts'
import { standbyOf } from './support/processes.ts'
import { waitFor } from './support/wait.ts'

const IDLE_MS = 5_000
const LIMIT_BYTES = 130e6
/** The standby runs permanently, even if it is never needed. */
const STANDBY_LIMIT_BYTES = 90e6

const lectern = useLectern()
const recording = useLectern(() => ({ SVC_RECORDER_EMBEDDED: '1' }))

it('keeps an idle server process below 130 MB', async () => {
  await sleep(IDLE_MS)
  const bytes = residentBytes(lectern.pid)
  console.log(`An idle server process takes ${Math.round(bytes / 1e6)} MB.`)
  expect(bytes).toBeGreaterThan(0)
  expect(bytes).toBeLessThan(LIMIT_BYTES)
})

it('keeps a standby recorder below 90 MB', async () => {
  const pid = await waitFor(() => standbyOf(recording.pid, 'recorder'), 'there is a standby recorder')
  await sleep(IDLE_MS)
  const bytes = ownBytes(pid)
  console.log(`A standby recorder takes ${Math.round(bytes / 1e6)} MB.`)
  expect(bytes).toBeGreaterThan(0)
  expect(bytes).toBeLessThan(STANDBY_LIMIT_BYTES)
})

/** The proportional set size: private memory and the share of memory shared with other processes. */
function ownBytes(pid: number): number {
  const [, kibibytes] = /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? []
  return Number(kibibytes) * 1024
}

function residentBytes(pid: number): number {
  const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kibibytes) * 1024
}

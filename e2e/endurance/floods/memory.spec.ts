import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { repositoryPath } from '../../support/folders.ts'
import { useLectern } from '../../support/lectern.ts'
import { standbyOf } from '../../support/processes.ts'
import { waitFor } from '../../support/wait.ts'

const IDLE_MS = 5_000
const LIMIT_BYTES = 130e6
/** The standby runs permanently, even if it is never needed. */
const STANDBY_LIMIT_BYTES = 90e6
/** From Debian's pocketsphinx-testdata. */
const SPEECH = '/usr/share/pocketsphinx/test/data/goforward.raw'

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

it('limits what malloc keeps in a recorder', async () => {
  const pid = await waitFor(() => standbyOf(recording.pid, 'recorder'), 'there is a standby recorder')
  const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
  expect(environment).toEqual(expect.arrayContaining(['MALLOC_ARENA_MAX=1', 'MALLOC_TRIM_THRESHOLD_=131072']))
})

it('returns what a transcriber needed for people who have finished', async () => {
  const [people, rounds] = ['4', '2']
  const program = repositoryPath('e2e/support/speakers.mjs')
  const { stdout } = await promisify(execFile)(process.execPath, [program, people, rounds, SPEECH])
  const { before, speaking, after } = JSON.parse(stdout)
  console.log(`Speakers: ${[before, speaking, after].map(bytes => Math.round(bytes / 1e6)).join(', ')} MB.`)
  expect(after - before).toBeLessThan((speaking - before) / 2)
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

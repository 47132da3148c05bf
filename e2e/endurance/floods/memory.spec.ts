import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { beforeAll, expect, it } from 'vitest'
import { repositoryPath } from '../../support/folders.ts'
import { useLectern } from '../../support/lectern.ts'
import { standbyOf } from '../../support/processes.ts'
import { type Program, usePrograms } from '../../support/program.ts'
import { waitFor } from '../../support/wait.ts'

const IDLE_MS = 5_000
/** Relative to an idle process of Node. */
const SERVER_LIMIT = 3.25
/** The standby runs permanently, even if it is never needed. */
const STANDBY_LIMIT = 2
/** From Debian's pocketsphinx-testdata. */
const SPEECH = '/usr/share/pocketsphinx/test/data/goforward.raw'

const lectern = useLectern()
const run = usePrograms()
let idle: Program
beforeAll(() => {
  idle = run(process.execPath, ['-e', 'setInterval(() => {}, 1_000)'])
})
const recording = useLectern(() => ({ SVC_RECORDER_EMBEDDED: '1' }))

it(`keeps an idle server process below the memory of ${SERVER_LIMIT} idle processes of Node`, async () => {
  await sleep(IDLE_MS)
  // What the start has left is collected when V8 finds the process idle.
  const share = () => residentBytes(lectern.pid) / residentBytes(idle.pid)
  await waitFor(() => share() < SERVER_LIMIT, 'little memory is in use')
  const [bytes, bare] = [residentBytes(lectern.pid), residentBytes(idle.pid)]
  console.log(`An idle server process takes ${megabytes(bytes)}, Node alone ${megabytes(bare)}.`)
  expect(bytes).toBeGreaterThan(bare)
})

it(`keeps a standby recorder below the memory of ${STANDBY_LIMIT} idle processes of Node`, async () => {
  const pid = await waitFor(() => standbyOf(recording.pid, 'recorder'), 'there is a standby recorder')
  await sleep(IDLE_MS)
  const [bytes, bare] = [residentBytes(pid), residentBytes(idle.pid)]
  console.log(`A standby recorder takes ${megabytes(bytes)}, Node alone ${megabytes(bare)}.`)
  expect(bytes).toBeGreaterThan(bare)
  expect(bytes / bare).toBeLessThan(STANDBY_LIMIT)
})

it('limits what malloc keeps in a recorder', async () => {
  const pid = await waitFor(() => standbyOf(recording.pid, 'recorder'), 'there is a standby recorder')
  const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
  expect(environment).toEqual(expect.arrayContaining(['MALLOC_ARENA_MAX=1', 'MALLOC_TRIM_THRESHOLD_=131072']))
})

it('returns the memory that a transcriber needed for people who have finished', async () => {
  const [people, rounds] = ['4', '2']
  const program = repositoryPath('e2e/support/speakers.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [program, people, rounds, SPEECH])
  const { before, speaking, after } = JSON.parse(stdout)
  console.log(`Speakers: ${[before, speaking, after].map(bytes => Math.round(bytes / 1e6)).join(', ')} MB.`)
  expect(after - before).toBeLessThan((speaking - before) / 2)
})

const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`

function residentBytes(pid: number): number {
  const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kibibytes) * 1024
}

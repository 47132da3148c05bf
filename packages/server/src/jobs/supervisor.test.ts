import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it, vi } from 'vitest'
import { createLog } from '../log.ts'
import { Supervisor } from './supervisor.ts'
import { isRunning, PATIENT, script } from './testing/scripts.ts'

vi.setConfig({ testTimeout: 30_000 }) // processes come and go here

/** Runs `code` after it has noted its pid, and whether `broken` stands in the note. */
const noting = (code: string) => `
  import { appendFileSync, readFileSync } from 'node:fs'
  if (readFileSync(process.argv[2], 'utf8').includes('broken')) process.exit(1)
  appendFileSync(process.argv[2], process.pid + ' ')
  ${code}`

async function open(code = PATIENT) {
  const note = script('')
  const program = { script: script(noting(code)), args: [note], accessToken: async () => 'secret' }
  const supervisor = await Supervisor.start({
    name: 'test',
    program,
    log: createLog('silent'),
    restartAfterMs: 20,
  })
  const pids = () => readFileSync(note, 'utf8').split(' ').map(Number).filter(Boolean)
  const write = (text: string) => writeFileSync(note, text)
  return { supervisor, pids, write }
}

const until = (condition: () => boolean) => vi.waitUntil(condition, { timeout: 15_000, interval: 20 })

describe('a supervisor', () => {
  it('starts a worker anew each time that it dies', async () => {
    const { supervisor, pids } = await open()
    for (let lives = 1; lives <= 3; lives++) {
      await until(() => pids().length === lives)
      process.kill(pids().at(-1) as number, 'SIGKILL')
    }
    await until(() => pids().length === 4)
    await supervisor.stop()
    expect(pids().map(isRunning)).toEqual([false, false, false, false])
  })

  it('goes on trying when a worker does not start any more', async () => {
    const { supervisor, pids, write } = await open()
    const [first] = pids()
    write('broken')
    process.kill(first as number, 'SIGKILL')
    await new Promise(resolve => setTimeout(resolve, 500))
    write('')
    await until(() => pids().length === 1)
    await supervisor.stop()
  })

  it('rejects when the worker does not start the first time', async () => {
    await expect(open('process.exit(1)')).rejects.toThrow('the worker left (1)')
  })

  it('starts nothing after it was stopped', async () => {
    const { supervisor, pids } = await open()
    process.kill(pids()[0] as number, 'SIGKILL')
    await Promise.all([supervisor.stop(), supervisor.stop()])
    await new Promise(resolve => setTimeout(resolve, 300))
    expect(pids()).toHaveLength(1)
  })
})

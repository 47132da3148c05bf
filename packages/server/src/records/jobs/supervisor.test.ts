import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createLog } from '../../platform/log.ts'
import { Supervisor } from './supervisor.ts'
import { isRunning, RUNNING_WORKER, script } from './testing/scripts.ts'

/** A program that appends its pid to a file and runs `code`; it exits with 1 if the file contains `broken`. */
const loggingProgram = (code: string) => `
  import { appendFileSync, readFileSync } from 'node:fs'
  if (readFileSync(process.argv[2], 'utf8').includes('broken')) process.exit(1)
  appendFileSync(process.argv[2], process.pid + ' ')
  ${code}`

async function open(code = RUNNING_WORKER) {
  const pidFile = script('')
  const lines: string[] = []
  const log = createLog('info', { write: line => void lines.push(line) })
  const program = {
    script: script(loggingProgram(code)),
    args: [pidFile],
    accessToken: async () => 'secret',
    log,
  }
  const supervisor = Supervisor.start({ name: 'test', program, log, restartAfterMs: 20 })
  const pids = () => readFileSync(pidFile, 'utf8').split(' ').map(Number).filter(Boolean)
  const write = (text: string) => writeFileSync(pidFile, text)
  const logged = () => lines.map(line => JSON.parse(line) as Record<string, unknown>)
  return { supervisor, pids, write, logged }
}

const until = (condition: () => boolean) => vi.waitUntil(condition, { timeout: 100_000, interval: 20 })

/** Fakes timers; processes run in real time. */
function fakeTimers() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
}

describe('Supervisor', () => {
  it('restarts a worker each time it dies', async () => {
    const { supervisor, pids } = await open()
    for (let starts = 1; starts <= 3; starts++) {
      await until(() => pids().length === starts)
      process.kill(pids().at(-1) as number, 'SIGKILL')
    }
    await until(() => pids().length === 4)
    await supervisor.stop()
    expect(pids().map(isRunning)).toEqual([false, false, false, false])
  })

  it('keeps trying when a worker no longer starts', async () => {
    const { supervisor, pids, write, logged } = await open()
    await until(() => pids().length === 1)
    const [first] = pids()
    write('broken')
    process.kill(first as number, 'SIGKILL')
    await until(
      () => logged().filter(({ msg }) => msg === 'a worker did not start and is restarted').length >= 2,
    )
    write('')
    await until(() => pids().length === 1)
    await supervisor.stop()
  })

  it('keeps trying when the first start fails', async () => {
    const { supervisor, pids, logged } = await open('process.exit(1)')
    await until(() => pids().length >= 3)
    await supervisor.stop()
    expect(logged()[0]).toMatchObject({
      msg: 'a worker did not start and is restarted',
      worker: 'test',
      restart_in_ms: 0,
    })
    expect(logged()[1]).toMatchObject({ restart_in_ms: 20 })
  })

  it('does not restart a worker that reports itself unavailable, and logs the reason once', async () => {
    fakeTimers()
    const { supervisor, pids, logged } = await open(`process.send({ unavailable: 'there is no model' })
      setInterval(() => {}, 1000)`)
    await until(() => logged().length > 0)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(logged()).toMatchObject([
      {
        level: 'warn',
        msg: 'a worker cannot run on this machine and stays off: "lectern doctor" checks what it needs',
        worker: 'test',
        reason: 'there is no model',
      },
    ])
    expect(pids().map(isRunning)).toEqual([false])
    await supervisor.stop()
  })

  it('stops at once while a worker is starting', async () => {
    const { supervisor, pids } = await open('setInterval(() => {}, 1000)')
    await until(() => pids().length === 1)
    await supervisor.stop()
    expect(pids().map(isRunning)).toEqual([false])
  })

  it('starts nothing after a stop', async () => {
    fakeTimers()
    const { supervisor, pids, logged } = await open()
    await until(() => pids().length === 1)
    process.kill(pids()[0] as number, 'SIGKILL')
    await Promise.all([supervisor.stop(), supervisor.stop()])
    await vi.advanceTimersByTimeAsync(60_000)
    expect(pids()).toHaveLength(1)
    expect(logged().filter(line => 'restart_in_ms' in line)).toEqual([])
  })
})

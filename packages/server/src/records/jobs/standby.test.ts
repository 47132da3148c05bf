import { readFileSync } from 'node:fs'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createLog } from '../../platform/log.ts'
import { Supervisor } from './supervisor.ts'
import { isRunning, STANDBY_WORKER, script } from './testing/scripts.ts'

/** A program that logs `pid role`, takes `loadsMs` to load, and then runs `code`. */
const loggingProgram = (code: string) => `
  import { appendFileSync, readFileSync } from 'node:fs'
  const isStandby = process.argv.includes('--standby')
  appendFileSync(process.argv[2], process.pid + (isStandby ? ' standby,' : ' fresh,'))
  process.on('disconnect', () => process.exit(0))
  await new Promise(loaded => setTimeout(loaded, Number(process.argv[3])))
  ${code}`

async function open({ code = STANDBY_WORKER, loadsMs = 0, restartAfterMs = 20 } = {}) {
  const pidFile = script('')
  const lines: string[] = []
  const log = createLog('info', { write: line => void lines.push(line) })
  const args = [pidFile, String(loadsMs)]
  const program = { script: script(loggingProgram(code)), args, accessToken: async () => 'secret', log }
  const supervisor = Supervisor.start({ name: 'test', program, log, restartAfterMs, standbyAfterMs: 0 })
  onTestFinished(() => supervisor.stop())
  const started = () =>
    readFileSync(pidFile, 'utf8')
      .split(',')
      .filter(Boolean)
      .map(line => ({ pid: Number(line.split(' ')[0]), is: line.split(' ')[1] }))
  const logged = (msg: string) =>
    lines.map(line => JSON.parse(line) as Record<string, unknown>).filter(line => line.msg === msg)
  /** The logged pids, in order. */
  const pids = (msg: string) => logged(msg).map(({ pid }) => Number(pid))
  const ready = async (count: number) => {
    await until(() => pids('a worker is ready').length >= count)
    return pids('a worker is ready')[count - 1] as number
  }
  const standbyReady = async (count: number) => {
    await until(() => pids('a standby worker is ready').length >= count)
    return pids('a standby worker is ready')[count - 1] as number
  }
  return { supervisor, started, logged, ready, standbyReady }
}

const until = (condition: () => boolean) => vi.waitUntil(condition, { timeout: 100_000, interval: 5 })
/** Starts a worker with a standby: whatever else was about to start has started by then. */
const anotherStandby = async () => (await open()).standbyReady(1)
const kill = (pid: number) => process.kill(pid, 'SIGKILL')

describe('a worker with a standby', () => {
  it('is replaced by its standby at each death, without a new start', async () => {
    const { ready, standbyReady, started } = await open()
    for (let deaths = 1; deaths <= 3; deaths++) {
      const [active, standby] = [await ready(deaths), await standbyReady(deaths)]
      kill(active)
      expect(await ready(deaths + 1)).toBe(standby)
    }
    await standbyReady(4)
    expect(started().map(({ is }) => is)).toEqual(['fresh', 'standby', 'standby', 'standby', 'standby'])
  })

  it('is replaced by a standby that is still loading, without a new start', async () => {
    const { ready, started } = await open({ loadsMs: 500 })
    const active = await ready(1)
    await until(() => started().length === 2)
    kill(active)
    expect(await ready(2)).toBe(started()[1]?.pid)
    expect(started().filter(({ is }) => is === 'fresh')).toHaveLength(1)
  })

  it('continues while its dead standby is replaced', async () => {
    const { ready, standbyReady, logged } = await open()
    const active = await ready(1)
    kill(await standbyReady(1))
    const second = await standbyReady(2)
    expect(logged('a standby worker exited and is restarted')).toMatchObject([
      { worker: 'test', restart_in_ms: 0 },
    ])
    expect(isRunning(active)).toBe(true)
    kill(active)
    expect(await ready(2)).toBe(second)
  })

  it('is restarted before its standby when both die at once', async () => {
    const { ready, standbyReady } = await open()
    const both = [await ready(1), await standbyReady(1)]
    for (const pid of both) kill(pid)
    expect(both).not.toContain(await ready(2))
    expect(both).not.toContain(await standbyReady(2))
  })

  it('is restarted with back-off when no standby can be started', async () => {
    const { ready, started } = await open({ code: `if (isStandby) process.exit(1)\n${STANDBY_WORKER}` })
    const active = await ready(1)
    await until(() => started().length >= 5)
    expect(isRunning(active)).toBe(true)
    kill(active)
    const second = await ready(2)
    expect(started().find(({ pid }) => pid === second)?.is).toBe('fresh')
  })

  it.each([
    ['does not start', 'process.exit(1)', 'a worker did not start and is restarted'],
    [
      'reports itself unavailable',
      `process.send({ unavailable: 'there is no ffmpeg' })`,
      'a worker cannot run on this machine and stays off: "lectern doctor" checks what it needs',
    ],
  ])('has none while it %s', async (_, code, message) => {
    const { started, logged } = await open({ code })
    await until(() => logged(message).length > 0)
    await anotherStandby()
    expect(new Set(started().map(({ is }) => is))).toEqual(new Set(['fresh']))
  })

  it('is stopped together with its standby, even one that is still loading', async () => {
    const idle = await open()
    await idle.standbyReady(1)
    const loading = await open({ loadsMs: 1_000 })
    await until(() => loading.started().length === 2)
    for (const { supervisor, started } of [idle, loading]) {
      await supervisor.stop()
      expect(started().map(({ pid }) => isRunning(pid))).toEqual([false, false])
    }
  })

  it('starts no process after a stop', async () => {
    const { supervisor, standbyReady, ready, started } = await open()
    await standbyReady(1)
    kill(await ready(1))
    await supervisor.stop()
    const before = started().length
    await anotherStandby()
    expect(started()).toHaveLength(before)
    expect(started().map(({ pid }) => isRunning(pid))).not.toContain(true)
  })
})

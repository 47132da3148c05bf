import { readFileSync } from 'node:fs'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createLog } from '../log.ts'
import { Supervisor } from './supervisor.ts'
import { isRunning, STANDING_BY, script } from './testing/scripts.ts'

vi.setConfig({ testTimeout: 30_000 }) // processes come and go here

/** Notes `pid role`, loads for a long time, and goes on with `code`. */
const noting = (code: string) => `
  import { appendFileSync, readFileSync } from 'node:fs'
  const isStandby = process.argv.includes('--stand-by')
  appendFileSync(process.argv[2], process.pid + (isStandby ? ' standby,' : ' fresh,'))
  process.on('disconnect', () => process.exit(0))
  await new Promise(loaded => setTimeout(loaded, Number(process.argv[3])))
  ${code}`

async function open({ code = STANDING_BY, loadsMs = 0, restartAfterMs = 20 } = {}) {
  const note = script('')
  const lines: string[] = []
  const log = createLog('info', { write: line => void lines.push(line) })
  const args = [note, String(loadsMs)]
  const program = { script: script(noting(code)), args, accessToken: async () => 'secret', log }
  const supervisor = Supervisor.start({ name: 'test', program, log, restartAfterMs, standbyAfterMs: 0 })
  onTestFinished(() => supervisor.stop())
  const started = () =>
    readFileSync(note, 'utf8')
      .split(',')
      .filter(Boolean)
      .map(line => ({ pid: Number(line.split(' ')[0]), is: line.split(' ')[1] }))
  const logged = (msg: string) =>
    lines.map(line => JSON.parse(line) as Record<string, unknown>).filter(line => line.msg === msg)
  /** The pids that were told of, in their order. */
  const pids = (msg: string) => logged(msg).map(({ pid }) => Number(pid))
  const ready = async (count: number) => {
    await until(() => pids('a worker is ready').length >= count)
    return pids('a worker is ready')[count - 1] as number
  }
  const standing = async (count: number) => {
    await until(() => pids('a standby worker is ready').length >= count)
    return pids('a standby worker is ready')[count - 1] as number
  }
  return { supervisor, started, logged, ready, standing }
}

const until = (condition: () => boolean) => vi.waitUntil(condition, { timeout: 15_000, interval: 5 })
const kill = (pid: number) => process.kill(pid, 'SIGKILL')

describe('a worker with a standby', () => {
  it('is replaced by its standby at each death, without a new start', async () => {
    const { ready, standing, started } = await open()
    for (let lives = 1; lives <= 3; lives++) {
      const [active, standby] = [await ready(lives), await standing(lives)]
      kill(active)
      expect(await ready(lives + 1)).toBe(standby)
    }
    await standing(4)
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
    const { ready, standing, logged } = await open()
    const active = await ready(1)
    kill(await standing(1))
    const second = await standing(2)
    expect(logged('a standby worker died')).toMatchObject([{ worker: 'test', restart_in_ms: 0 }])
    expect(isRunning(active)).toBe(true)
    kill(active)
    expect(await ready(2)).toBe(second)
  })

  it('is restarted before its standby when both die at once', async () => {
    const { ready, standing } = await open()
    const both = [await ready(1), await standing(1)]
    for (const pid of both) kill(pid)
    expect(both).not.toContain(await ready(2))
    expect(both).not.toContain(await standing(2))
  })

  it('is restarted with back-off when no standby can be started', async () => {
    const { ready, started } = await open({ code: `if (isStandby) process.exit(1)\n${STANDING_BY}` })
    const active = await ready(1)
    await until(() => started().length >= 5)
    expect(isRunning(active)).toBe(true)
    kill(active)
    const second = await ready(2)
    expect(started().find(({ pid }) => pid === second)?.is).toBe('fresh')
  })

  it.each([
    ['does not start', 'process.exit(1)', 'a worker did not start'],
    [
      'cannot work here',
      `process.send({ unavailable: 'there is no ffmpeg' })`,
      'a worker cannot run on this machine',
    ],
  ])('has none while it %s', async (_, code, says) => {
    const { started, logged } = await open({ code })
    await until(() => logged(says).length > 0)
    await new Promise(resolve => setTimeout(resolve, 300))
    expect(new Set(started().map(({ is }) => is))).toEqual(new Set(['fresh']))
  })

  it('is stopped with its standby, also one that is loading', async () => {
    const standingBy = await open()
    await standingBy.standing(1)
    const loading = await open({ loadsMs: 1_000 })
    await until(() => loading.started().length === 2)
    for (const { supervisor, started } of [standingBy, loading]) {
      await supervisor.stop()
      expect(started().map(({ pid }) => isRunning(pid))).toEqual([false, false])
    }
  })

  it('starts no process after it was stopped', async () => {
    const { supervisor, standing, ready, started } = await open()
    await standing(1)
    kill(await ready(1))
    await supervisor.stop()
    const before = started().length
    await new Promise(resolve => setTimeout(resolve, 300))
    expect(started()).toHaveLength(before)
    expect(started().map(({ pid }) => isRunning(pid))).not.toContain(true)
  })
})

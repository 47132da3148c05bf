import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createLog } from '../../platform/log.ts'
import { isRunning, RUNNING_WORKER, script } from './testing/scripts.ts'
import { WorkerProcess, type WorkerProgram } from './worker-process.ts'

const accessToken = async () => 'secret'
const log = createLog('silent')
const program = (code: string, more: Partial<WorkerProgram> = {}): WorkerProgram => ({
  script: script(code),
  accessToken,
  log,
  ...more,
})

const { signal } = new AbortController()

async function start(started: WorkerProgram): Promise<WorkerProcess> {
  const worker = new WorkerProcess(started)
  await worker.waitFor('ready', signal)
  return worker
}

describe('WorkerProcess', () => {
  it('reports ready and stops on request, once', async () => {
    const worker = await start(program(RUNNING_WORKER))
    expect(isRunning(worker.pid)).toBe(true)
    await Promise.all([worker.stop(), worker.stop()])
    expect(isRunning(worker.pid)).toBe(false)
  })

  it('rejects when the process exits before it is ready', async () => {
    await expect(start(program('process.exit(3)'))).rejects.toThrow('the worker exited (3)')
  })

  it('kills a process that is not ready in time', async () => {
    const code = `
      import { writeFileSync } from 'node:fs'
      process.on('SIGTERM', () => {})
      process.on('disconnect', () => process.exit(0))
      writeFileSync(process.argv[2], String(process.pid))
      setInterval(() => {}, 1000)`
    const pidFile = script('')
    const late = program(code, { args: [pidFile], readyTimeoutMs: 2_000 })
    await expect(start(late)).rejects.toThrow('not ready in 2000 ms')
    // On a busy machine it may not have reached its first line.
    const pids = readFileSync(pidFile, 'utf8').split('\n').filter(Boolean).map(Number)
    expect(pids.filter(isRunning)).toEqual([])
  })

  it('forwards log lines at their level, and other output', async () => {
    const lines: string[] = []
    const code = `console.error(JSON.stringify({ level: 'warn', time: 1, job_id: 'job_1', token: 'x', msg: 'a job waits' }))
      console.log('Hello')
      ${RUNNING_WORKER}`
    const catching = createLog('info', { write: line => void lines.push(line) })
    const worker = await start(program(code, { log: catching }))
    await expect.poll(() => lines).toHaveLength(2)
    await worker.stop()
    const logged = lines.map(line => JSON.parse(line)).sort((a, b) => a.level.localeCompare(b.level))
    expect(logged).toEqual([
      { level: 'info', time: expect.any(String), line: 'Hello', msg: 'output of a worker' },
      { level: 'warn', time: expect.any(String), job_id: 'job_1', token: '[redacted]', msg: 'a job waits' },
    ])
  })

  it('reports why the process exited later', async () => {
    const worker = await start(program(RUNNING_WORKER))
    process.kill(worker.pid, 'SIGKILL')
    expect((await worker.exited).message).toBe('the worker exited (SIGKILL)')
    await worker.stop()
  })

  it('kills a process that ignores SIGTERM', async () => {
    const ignoringSigterm = RUNNING_WORKER.replace('process.exit(0)', '{}')
    const worker = await start(program(ignoringSigterm, { stopTimeoutMs: 300 }))
    await worker.stop()
    expect(isRunning(worker.pid)).toBe(false)
  })

  it('sends the access token on request, never by arguments or environment', async () => {
    const requests: boolean[] = []
    const tokens = ['first', new Error('not now'), 'second']
    const code = `
      const seen = []
      process.on('message', ({ access_token }) => {
        seen.push(access_token)
        if (seen.length < 3) return process.send({ request: 'access_token', refused: true })
        const isClean = !JSON.stringify([process.env, process.argv]).includes('first')
        if (isClean && seen.join() === 'first,,second') process.send({ ready: true })
      })
      process.send({ request: 'access_token' })`
    const worker = await start(
      program(code, {
        accessToken: async refused => {
          requests.push(refused)
          const token = tokens[requests.length - 1]
          if (typeof token !== 'string') throw token
          return token
        },
      }),
    )
    expect(requests).toEqual([false, true, true])
    await worker.stop()
  })
})

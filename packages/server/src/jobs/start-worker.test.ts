import { readFileSync } from 'node:fs'
import { describe, expect, it, vi } from 'vitest'
import { createLog } from '../log.ts'
import { startWorker, type WorkerProgram } from './start-worker.ts'
import { isRunning, PATIENT, script } from './testing/scripts.ts'

vi.setConfig({ testTimeout: 30_000 }) // processes come and go here

const accessToken = async () => 'secret'
const log = createLog('silent')
const program = (code: string, more: Partial<WorkerProgram> = {}): WorkerProgram => ({
  script: script(code),
  accessToken,
  log,
  ...more,
})

describe('startWorker', () => {
  it('gives a worker that is ready, and stops it when asked, once', async () => {
    const deaths: Error[] = []
    const worker = await startWorker(program(PATIENT), reason => deaths.push(reason))
    expect(isRunning(worker.pid)).toBe(true)
    await Promise.all([worker.stop(), worker.stop()])
    expect(isRunning(worker.pid)).toBe(false)
    expect(deaths).toEqual([])
  })

  it('rejects when the worker leaves before it is ready', async () => {
    const deaths: Error[] = []
    const started = startWorker(program('process.exit(3)'), reason => deaths.push(reason))
    await expect(started).rejects.toThrow('the worker left (3)')
    expect(deaths).toEqual([])
  })

  it('rejects when the worker is not ready in time, and leaves nothing behind', async () => {
    const code = `
      import { writeFileSync } from 'node:fs'
      process.on('SIGTERM', () => {})
      process.on('disconnect', () => process.exit(0))
      writeFileSync(process.argv[2], String(process.pid))
      setInterval(() => {}, 1000)`
    const pidFile = script('')
    const late = program(code, { args: [pidFile], readyWithinMs: 2_000 })
    await expect(startWorker(late, () => {})).rejects.toThrow('not ready in 2000 ms')
    expect(isRunning(Number(readFileSync(pidFile, 'utf8')))).toBe(false)
  })

  it('logs what the worker logs at its level, and whatever else it prints', async () => {
    const lines: string[] = []
    const code = `console.error(JSON.stringify({ level: 'warn', time: 1, job_id: 'job_1', token: 'x', msg: 'a job waits' }))
      console.log('Hello')
      ${PATIENT}`
    const catching = createLog('info', { write: line => void lines.push(line) })
    const worker = await startWorker(program(code, { log: catching }), () => {})
    await vi.waitUntil(() => lines.length === 2)
    await worker.stop()
    const logged = lines.map(line => JSON.parse(line)).sort((a, b) => a.level.localeCompare(b.level))
    expect(logged).toEqual([
      { level: 'info', time: expect.any(String), line: 'Hello', msg: 'a worker has printed this' },
      { level: 'warn', time: expect.any(String), job_id: 'job_1', token: '[redacted]', msg: 'a job waits' },
    ])
  })

  it('tells of a death that comes later', async () => {
    let died = (_: Error) => {}
    const death = new Promise<Error>(resolve => {
      died = resolve
    })
    const worker = await startWorker(program(PATIENT), reason => died(reason))
    process.kill(worker.pid, 'SIGKILL')
    expect((await death).message).toBe('the worker left (SIGKILL)')
    await worker.stop()
  })

  it('kills a worker that does not hear that it should end', async () => {
    const deaf = PATIENT.replace('process.exit(0)', '{}')
    const worker = await startWorker(program(deaf, { stopWithinMs: 300 }), () => {})
    await worker.stop()
    expect(isRunning(worker.pid)).toBe(false)
  })

  it('hands the access token over when asked, and never by arguments or environment', async () => {
    const asked: boolean[] = []
    const tokens = ['first', new Error('not now'), 'second']
    const code = `
      const seen = []
      process.on('message', ({ access_token }) => {
        seen.push(access_token)
        if (seen.length < 3) return process.send({ ask: 'access_token', refused: true })
        const isClean = !JSON.stringify([process.env, process.argv]).includes('first')
        if (isClean && seen.join() === 'first,,second') process.send({ ready: true })
      })
      process.send({ ask: 'access_token' })`
    const worker = await startWorker(
      program(code, {
        accessToken: async refused => {
          asked.push(refused)
          const token = tokens[asked.length - 1]
          if (typeof token !== 'string') throw token
          return token
        },
      }),
      () => {},
    )
    expect(asked).toEqual([false, true, true])
    await worker.stop()
  })
})

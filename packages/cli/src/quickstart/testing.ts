import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { useLectern } from '../testing.ts'

/** For tests that are about the files of the demo: its recorder and transcriber would start for nothing. */
export const WITHOUT_WORKERS = {
  SVC_RECORDER_EMBEDDED: '0',
  SVC_TRANSCRIBER_EMBEDDED: '0',
  SVC_CONVERTER_EMBEDDED: '0',
}

type Env = Record<string, string>

/** Polls, and the condition of a moment at which the first run is killed. */
interface FirstRun {
  hasFile: (name: string) => boolean
  elapsedMs: number
}

/** The command line (`useLectern`), and its demo. */
export function useDemo() {
  const lectern = useLectern()

  /** Starts the demo, stops it when it is ready, and returns the printed JSON. */
  const quickstart = async (folder: string, env: Env = WITHOUT_WORKERS) => {
    const server = await lectern.launch(folder, ['quickstart', '--port', '0', '--json'], env)
    const printed = server.first()
    expect(await server.stop('SIGINT')).toBe(0)
    expect(server.output).toEqual({ stdout: `${JSON.stringify(printed)}\n`, stderr: '' })
    return printed
  }

  /** Kills the first run with kill -9 when the moment has come, and expects that the next run completes it. */
  const killFirstRun = async (isMoment: (run: FirstRun) => boolean, env: Env = {}) => {
    const folder = lectern.makeFolder()
    const child = lectern.start(folder, ['quickstart', '--port', '0', '--json'], env)
    const startedAt = performance.now()
    const hasFile = (name: string) => existsSync(join(folder, 'data', name))
    const isDue = () => isMoment({ hasFile, elapsedMs: performance.now() - startedAt })
    while (child.exitCode === null && !isDue()) await sleep(1)
    child.kill('SIGKILL')
    await new Promise(resolve => child.once('close', resolve))

    const printed = await quickstart(folder, env)
    expect(printed.room.external_id).toBe('demo-lesson')
    const account = JSON.parse(readFileSync(join(folder, 'data/demo-account.json'), 'utf8'))
    expect([account.service_account, account.client_secret]).toEqual([
      printed.service_account,
      printed.client_secret,
    ])
  }

  return { ...lectern, quickstart, killFirstRun }
}

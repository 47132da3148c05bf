import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import { repositoryPath, useFolders } from '../../support/folders.ts'
import { isAlive } from '../../support/processes.ts'
import { waitFor } from '../../support/wait.ts'

/** Starts a worker like the server does, without a token for it. */
const SERVER = `
  const { spawn } = require('node:child_process')
  const worker = spawn(process.execPath, process.argv.slice(1), { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
  console.log(worker.pid)
  setInterval(() => {}, 1000)`

const RECORDER = repositoryPath('packages/recorder/dist/recorder.js')
const UNREACHABLE_URL = 'http://127.0.0.1:9'

const makeFolder = useFolders()
let server: ChildProcess
afterEach(() => server.kill('SIGKILL'))

/** Otherwise it would keep the folder locked for the worker of the next server. */
it.each([
  ['a recorder', 50, []],
  ['a recorder', 1_500, []],
  ['a standby recorder', 50, ['--standby']],
  ['a standby recorder', 1_500, ['--standby']],
])('%s exits when its server is killed %i ms after the start', async (_, afterMs, args) => {
  const recorder = [RECORDER, '--url', UNREACHABLE_URL, '--folder', join(makeFolder(), 'recorder'), ...args]
  server = spawn(process.execPath, ['-e', SERVER, ...recorder], { stdio: ['ignore', 'pipe', 'inherit'] })
  const worker = Number(await once(server.stdout as Readable, 'data'))
  await sleep(afterMs)
  expect(isAlive(worker)).toBe(true)
  server.kill('SIGKILL')
  await waitFor(() => !isAlive(worker), 'the worker exits')
})

import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { startClamd } from './clamd.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lectern-no-clamd-'))
  vi.stubEnv('TMPDIR', folder)
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
})

it.each([
  ['does not answer in time', [], 0],
  ['refuses its settings', ['NoSuchSetting yes'], 60_000],
])('a clamd that %s leaves no process and no files', async (_, settings, withinMs) => {
  const { message } = await startClamd(settings, withinMs).then(
    () => expect.unreachable('it has started'),
    (error: Error) => error,
  )
  const pid = Number(/^clamd (\d+) does not answer$/.exec(message)?.[1])
  expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  expect(readdirSync(folder)).toEqual([])
})

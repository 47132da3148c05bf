import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { serveWorkerState } from './worker-state.ts'

let server: Awaited<ReturnType<typeof serveWorkerState>>
const state = {
  isConnected: true,
  jobs: { running: 2, backingOff: 1, completed: 7, failedAttempts: 3 },
}
beforeAll(async () => {
  server = await serveWorkerState({ host: '127.0.0.1', port: 0, folder: tmpdir(), measure: () => state })
})
afterAll(() => server.close())

const get = async (path: string, method = 'GET') => {
  const { port } = server.address() as AddressInfo
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { method })
  return { status: response.status, text: await response.text() }
}

it('a worker serves its state and its metrics, and nothing else', async () => {
  expect(await get('/healthz')).toEqual({ status: 200, text: 'ok\n' })
  expect((await get('/')).status).toBe(404)
  expect((await get('/metrics', 'POST')).status).toBe(405)
  const { status, text } = await get('/metrics')
  expect(status).toBe(200)
  const values = Object.fromEntries(
    text
      .split('\n')
      .filter(line => line && !line.startsWith('#'))
      .map(line => line.split(' ')),
  )
  expect(values).toMatchObject({
    worker_connected: '1',
    worker_jobs_running: '2',
    worker_jobs_waiting: '1',
    worker_jobs_completed_total: '7',
    worker_attempts_failed_total: '3',
  })
  for (const name of ['worker_disk_free_bytes', 'process_resident_memory_bytes', 'process_cpu_seconds_total'])
    expect(Number(values[name]), name).toBeGreaterThan(0)
  state.isConnected = false
  expect((await get('/metrics')).text).toContain('\nworker_connected 0\n')
})

it('exports what docs/metrics.md lists', async () => {
  const document = readFileSync(new URL('../../../docs/metrics.md', import.meta.url), 'utf8')
  const [, section = ''] = document.split('\n## Recorders and transcribers\n')
  const documented = [...section.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name)
  const { text } = await get('/metrics')
  const former = [...text.matchAll(/^# HELP (\S+) Former name of lectern_\1,/gm)].map(([, name]) => name)
  const exported = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name)
  expect(documented).toEqual(exported.filter(name => !former.includes(name)))
  expect(former).toHaveLength(6)
})

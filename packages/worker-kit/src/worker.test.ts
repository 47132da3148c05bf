import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ControlClient, ControlFailure } from '@lectern/control-client'
import type { JobView } from '@lectern/protocol/control'
import { pino } from 'pino'
import { afterAll, expect, it, vi } from 'vitest'
import { Worker } from './worker.ts'

const folder = mkdtempSync(join(tmpdir(), 'lectern-worker-'))
afterAll(() => rmSync(folder, { recursive: true }))

const job = (job_id: string) =>
  ({ job_id, attempt: 1, conference_session_id: '1', conference_tag: 'aaaa', lease_ms: 60_000 }) as JobView

/** A connection to a server that has these jobs, of which another worker has taken those that are `lost` over. */
function createClient(jobs: JobView[], lost: ReadonlySet<string>) {
  const waiting = [...jobs]
  return {
    command: async (name: string, target: { id: string }) => {
      if (name === 'job.lease') return { job: waiting.shift() ?? null }
      if (name === 'job.finish' && lost.has(target.id))
        throw new ControlFailure('permission_denied', 'not held', { reason: 'not_held' })
      return {}
    },
    onEvent: () => () => {},
    state: { get: () => ({ is: 'ready' }), subscribe: () => () => {} },
    close: () => {},
  } as unknown as ControlClient
}

it('counts a job that another worker has taken over neither as completed nor as failed', async () => {
  const worker = new Worker({
    client: createClient([job('job_a'), job('job_b')], new Set(['job_b'])),
    ...{ serverUrl: '', accessToken: async () => null, name: 'test', version: '0', workerId: 'w', folder },
    ...{ kind: 'conversion', capacity: 2, kinds: [], log: pino({ level: 'silent' }) },
    media: { ip: '127.0.0.1', bindTo: '127.0.0.1', encrypted: false },
    work: async () => ({ outcome: 'done', result: {} }),
  })
  await vi.waitFor(() => expect(worker.jobs).toMatchObject({ running: 0, completed: 1, failedAttempts: 0 }))
  await worker.drain(0)
})

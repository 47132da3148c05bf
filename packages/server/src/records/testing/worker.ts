import { createHash } from 'node:crypto'
import type { Capability } from '@lectern/protocol'
import type { JobKind } from '@lectern/protocol/control'
import { openMainStore } from '../../platform/db/open.ts'
import type { TestServer } from '../../testing/server.ts'
import { jobStore } from '../stores/jobs.ts'

export const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex')

const HOUR_MS = 3_600_000
const WORKER_ID = 'worker-1'

/** A worker of a running server: its account, and leased jobs without an open session. */
export async function openWorker(server: TestServer, login: string, capability: Capability) {
  const main = await openMainStore(server.config.Db.Url)
  const store = jobStore(main.db)
  const { id: userId, password } = await server.addUser(login, { kind: 'worker', capabilities: [capability] })
  const answer = await server.call('POST', '/api/v1.0/auth/login', { body: { login, password } })
  const owner = { userId, workerId: WORKER_ID }
  const held: string[] = []
  let sessions = 0

  /** Leases a job of a conference, each in its own session. */
  const lease = async (kind: JobKind, conferenceTag: string): Promise<string> => {
    const conferenceSessionId = userId * 1000 + ++sessions
    const session = { conferenceSessionId, conferenceTag, params: {} }
    for (;;) {
      const { id } = await store.add({ kind, scope: 'manual', ...session }, Date.now())
      const nowMs = Date.now()
      const leased = await store.lease(
        { kind, holding: held, expiredAtMs: nowMs },
        { owner, nowMs, untilMs: nowMs + HOUR_MS },
      )
      if (leased?.id !== id) continue // the server has cancelled it meanwhile, as its session does not exist
      held.push(id)
      return id
    }
  }
  const end = (id: string) => store.finish(id, owner, { outcome: 'failed', result: {} }, Date.now())
  return {
    userId,
    owner,
    store,
    token: answer.body.access_token as string,
    lease,
    end,
    close: () => main.close(),
  }
}

export type TestWorker = Awaited<ReturnType<typeof openWorker>>

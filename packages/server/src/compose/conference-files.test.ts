import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Refusal } from '@lectern/protocol'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { User } from '../accounts/ports.ts'
import type { EventBus } from '../control/streams/event-bus.ts'
import { DomainEvents } from '../domain-events.ts'
import type { ConferenceLookup } from '../messaging/directory/conference-lookup.ts'
import { loadConfig } from '../platform/config/index.ts'
import { Lifetime } from '../platform/lifetime.ts'
import { createLog } from '../platform/log.ts'
import { noTracing } from '../platform/tracing.ts'
import type { DocumentNotice } from '../records/ports.ts'
import type { StoredSession } from '../sessions/ports.ts'
import type { SessionRegistry } from '../sessions/session-registry.ts'
import { composeConferenceFiles } from './conference-files.ts'
import type { ServerContext } from './context.ts'
import { composeStores } from './stores.ts'

const session = { chatId: 'session:1', chatMode: 'open', moderation: { permissions: {}, exceptions: [] } }

/** Files of a conference whose session runs on another server. */
async function open(find: () => Promise<{ settings: { features: Record<string, boolean> } } | null>) {
  const dir = mkdtempSync(join(tmpdir(), 'lectern-files-'))
  const ini = join(dir, 'lectern.ini')
  writeFileSync(ini, `[Server]\nDataDir=${dir}\n`)
  const log = createLog('info', { write: () => {} })
  const [clock, lifetime, config] = [() => 1_700_000_000_000, new Lifetime(log), loadConfig(ini, {})]
  const stores = await composeStores({ config, clock, log, lifetime, tracing: noTracing })
  onTestFinished(async () => {
    await lifetime.close()
    rmSync(dir, { recursive: true })
  })
  const moderator = { sessionId: 1, displayName: 'Anna', role: 'moderator' }
  const { files } = composeConferenceFiles(
    { config, clock, log, domainEvents: new DomainEvents(log) } as ServerContext,
    {
      ...stores,
      insiders: { ...stores.insiders, find: async () => moderator },
      sessions: { ...stores.sessions, find: async () => session as unknown as StoredSession },
    },
    {
      registry: { getByTag: () => undefined } as unknown as SessionRegistry,
      lookup: { find, ownerOf: async () => null } as unknown as ConferenceLookup,
      bus: { subscribe: () => {} } as unknown as EventBus<DocumentNotice>,
      jobs: () => {
        throw new Error('no job is needed')
      },
      messages: () => {
        throw new Error('no conversation is needed')
      },
    },
  )
  const metadata = { conference: 'k7mq', purpose: 'chat_file', name: 'notes.txt', sha256: '0'.repeat(64) }
  return () => files.plan({ id: 7 } as User, '192.0.2.1', 12, metadata)
}

describe('an upload on a server that does not run the session', () => {
  it.each(['chat', 'files'])('is refused where the partner has turned %s off', async name => {
    const plan = await open(async () => ({
      settings: { features: { chat: true, files: true, [name]: false } },
    }))
    await expect(plan()).rejects.toMatchObject({ code: 'permission_denied' })
  })

  it('begins in other rooms, and in one that has just been closed', async () => {
    const [inOther, inClosed] = [
      await open(async () => null),
      await open(async () => {
        throw new Refusal('room_closed')
      }),
    ]
    await expect(inOther()).resolves.toMatchObject({ ownerId: 7 })
    await expect(inClosed()).resolves.toMatchObject({ ownerId: 7 })
  })
})

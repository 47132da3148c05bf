import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openIntegrationStore } from '../platform/db/open.ts'
import { Rooms } from './rooms.ts'
import { roomStore } from './stores/rooms.ts'

it('rooms end their session with the reason', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'lectern-rooms-'))
  const store = await openIntegrationStore(join(dir, 'integration.db'))
  const ended: string[] = []
  const conferences = {
    isLive: async () => true,
    preview: async () => null,
    reevaluateLobby: async () => {},
    listLive: async (tags: readonly string[]) => new Set(tags),
    end: async (tag: string, reason: string) => void ended.push(`${tag} ${reason}`),
  }
  const rooms = new Rooms({ store: roomStore(store.db), conferences, clock: Date.now })
  const { room } = await rooms.findOrCreate(7, 'lesson', {})
  await rooms.cancel(7, 'lesson')
  await rooms.close(7, 'lesson')
  expect(ended).toEqual([`${room.tag} cancelled`, `${room.tag} closed`])
  await store.close()
  rmSync(dir, { recursive: true })
})

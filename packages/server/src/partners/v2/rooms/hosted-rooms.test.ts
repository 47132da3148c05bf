import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Refusal } from '@lectern/protocol'
import { expect, it, onTestFinished } from 'vitest'
import { openIntegrationStore } from '../../../platform/db/open.ts'
import { roomStore } from '../../stores/rooms.ts'
import { HostedRooms } from './hosted-rooms.ts'

it('a request that failed after its change admits those who wait when it is repeated', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'lectern-hosted-rooms-'))
  const store = await openIntegrationStore(join(dir, 'integration.db'))
  onTestFinished(async () => {
    await store.close()
    rmSync(dir, { recursive: true })
  })
  const reevaluated: string[] = []
  let isReachable = true
  const rooms = new HostedRooms({
    store: roomStore(store.db),
    conferences: {
      isLive: async () => true,
      listLive: async () => new Set(),
      reevaluateLobby: async tag => {
        if (!isReachable) throw new Refusal('temporarily_unavailable')
        reevaluated.push(tag)
      },
    },
    deletions: { begin: async () => {} },
    retention: { find: async () => null },
    keptDaysMax: null,
    publicUrl: () => '',
    clock: Date.now,
  })
  const { room } = await rooms.put(7, 'lesson', { lobby: true })
  await rooms.change(7, 'lesson', { title: 'Algebra' })
  expect(reevaluated).toEqual([])
  isReachable = false
  const open = () => rooms.change(7, 'lesson', { lobby: false })
  await expect(open()).rejects.toMatchObject({ code: 'temporarily_unavailable' })
  isReachable = true
  await open()
  expect(reevaluated).toEqual([room.tag])
})

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openIntegrationStore } from '../platform/db/open.ts'
import { Memberships } from './memberships.ts'
import { Rooms } from './rooms.ts'
import { participantStore } from './stores/participants.ts'
import { roomStore } from './stores/rooms.ts'

/** Rooms of a partner, and what they do to sessions. */
async function openRooms() {
  const dir = mkdtempSync(join(tmpdir(), 'lectern-rooms-'))
  const store = await openIntegrationStore(join(dir, 'integration.db'))
  onTestFinished(async () => {
    await store.close()
    rmSync(dir, { recursive: true })
  })
  const ended: string[] = []
  const conferences = {
    isLive: async () => true,
    preview: async () => null,
    reevaluateLobby: async () => {},
    listLive: async (tags: readonly string[]) => new Set(tags),
    end: async (tag: string, reason: string) => void ended.push(`${tag} ${reason}`),
    endMembership: async (tag: string, userId: number) => void ended.push(`${tag} without ${userId}`),
  }
  const participants = participantStore(store.db)
  const memberships = new Memberships({ participants, conferences })
  const rooms = new Rooms({ store: roomStore(store.db), conferences, memberships, clock: Date.now })
  return { rooms, participants, ended }
}

it('rooms end their session with the reason (HOSTED-5)', async () => {
  const { rooms, ended } = await openRooms()
  const { room } = await rooms.findOrCreate(7, 'lesson', {})
  await rooms.cancel(7, 'lesson')
  await rooms.close(7, 'lesson')
  expect(ended).toEqual([`${room.tag} cancelled`, `${room.tag} closed`])
})

it('rooms end the membership of people whose links are replaced', async () => {
  const { rooms, participants, ended } = await openRooms()
  const people = { teacher: { external_id: 't-1' }, student: { external_id: 's-1' } }
  const { tag } = (await rooms.findOrCreate(7, 'lesson', people)).room
  await participants.bind(7, 't-1', 11, 0)
  await participants.bind(7, 's-1', 12, 0)
  await rooms.change(7, 'lesson', { title: 'Algebra', student: { display_name: 'Ben' } })
  expect(ended).toEqual([])
  await rooms.rotateLink(7, 'lesson', 'teacher')
  await rooms.change(7, 'lesson', { student: { external_id: 's-2' } })
  await rooms.change(7, 'lesson', { student: null, teacher: null })
  expect(ended).toEqual([`${tag} without 11`, `${tag} without 12`, `${tag} without 11`])
})

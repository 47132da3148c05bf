import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Refusal } from '@lectern/protocol'
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
  const session = { isReachable: true }
  const conferences = {
    isLive: async () => true,
    preview: async () => null,
    reevaluateLobby: async () => {},
    listLive: async (tags: readonly string[]) => new Set(tags),
    end: async (tag: string, reason: string) => void ended.push(`${tag} ${reason}`),
    endMembership: async (tag: string, userId: number) => {
      if (!session.isReachable) throw new Refusal('temporarily_unavailable')
      ended.push(`${tag} without ${userId}`)
    },
    endSharedMemberships: async (tag: string, role: string) => void ended.push(`${tag} without ${role}`),
  }
  const participants = participantStore(store.db)
  const memberships = new Memberships({ participants, conferences })
  const rooms = new Rooms({ store: roomStore(store.db), conferences, memberships, clock: Date.now })
  return { rooms, participants, ended, session }
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
  // Before and after the change: in between somebody may come by the former link.
  expect(ended).toEqual([11, 11, 12, 12, 11, 11].map(id => `${tag} without ${id}`))
})

it('rooms end the memberships of all who came by a link that named nobody, when it is replaced', async () => {
  const { rooms, ended } = await openRooms()
  const { tag } = (await rooms.findOrCreate(7, 'lesson', {})).room
  await rooms.change(7, 'lesson', { teacher: { display_name: 'Anna' } })
  expect(ended).toEqual([])
  await rooms.change(7, 'lesson', { teacher: { external_id: 't-1' } })
  await rooms.change(7, 'lesson', { student: { external_id: 's-1' } })
  const roles = ['moderator', 'moderator', 'participant', 'participant']
  expect(ended).toEqual(roles.map(role => `${tag} without ${role}`))
})

it('rooms change nothing while a membership cannot be ended, so that the repetition of the request ends it', async () => {
  const { rooms, participants, ended, session } = await openRooms()
  const { room } = await rooms.findOrCreate(7, 'lesson', { student: { external_id: 's-1' } })
  await participants.bind(7, 's-1', 12, 0)
  const change = () => rooms.change(7, 'lesson', { student: { external_id: 's-2' } })
  session.isReachable = false
  await expect(change()).rejects.toMatchObject({ code: 'temporarily_unavailable' })
  expect(await rooms.find(7, 'lesson')).toEqual(room)
  session.isReachable = true
  expect((await change()).people.student).toMatchObject({ externalId: 's-2' })
  expect(ended).toContain(`${room.tag} without 12`)
})

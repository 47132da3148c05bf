import { describe, expect, it } from 'vitest'
import { Keys } from '../accounts/keys.ts'
import { Links } from './links.ts'
import type { Room, StoredRoomStatus } from './ports.ts'
import { RoomPresenter } from './present.ts'

const present = new RoomPresenter(new Links(new Keys('a secret')), () => 'https://meet.example')
const room = (status: StoredRoomStatus): Room => ({
  roomId: 1,
  clientId: 7,
  externalId: 'lesson',
  tag: 'aaaa-bbbbb-cccc',
  title: 'Algebra',
  description: null,
  startsAt: null,
  endsAt: null,
  status,
  people: {
    teacher: { displayName: '', externalId: null, link: { version: 1, name: '' } },
    student: { displayName: '', externalId: null, link: { version: 1, name: '' } },
  },
  board: 'keep',
  revision: 1,
})

describe('RoomPresenter', () => {
  it.each([
    ['scheduled', false, 'scheduled'],
    ['scheduled', true, 'active'],
    ['cancelled', true, 'cancelled'],
    ['closed', true, 'closed'],
    ['closed', false, 'closed'],
  ] as const)('that is stored as %s and live: %s is %s', (stored, live, status) => {
    expect(present.status(room(stored), live)).toMatchObject({ status, stored_status: stored, live })
  })

  it('presents a live room to visitors as active', () => {
    const entry = { room: room('scheduled'), role: 'teacher', displayName: 'T' } as const
    expect(present.entry(entry, { isLive: true, participants: null }).status).toBe('active')
    expect(present.entry(entry, { isLive: false, participants: null }).status).toBe('scheduled')
  })

  it('presents the stored status of a room itself', () => {
    expect(present.room(room('scheduled')).status).toBe('scheduled')
  })
})

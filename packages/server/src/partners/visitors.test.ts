import type { RoomResponse } from '@lectern/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Accounts } from '../accounts/accounts.ts'
import { Keys } from '../accounts/keys.ts'
import { userStore } from '../accounts/stores/users.ts'
import { standalone } from '../hooks.ts'
import { openIntegrationStore, openMainStore } from '../platform/db/open.ts'
import { Lifetime } from '../platform/lifetime.ts'
import { createLog } from '../platform/log.ts'
import { enterLink, type Partner, tokenOf } from '../testing/partner.ts'
import { JWT_SECRET, startTestServer, type TestServer } from '../testing/server.ts'
import { Links } from './links.ts'
import { Memberships } from './memberships.ts'
import { Rooms } from './rooms.ts'
import { participantStore } from './stores/participants.ts'
import { roomStore } from './stores/rooms.ts'
import { Visitors } from './visitors.ts'

const lifetime = new Lifetime(createLog('silent'))
let server: TestServer
let school: Partner
let visitors: Visitors
beforeAll(async () => {
  server = lifetime.own('server', await startTestServer(), running => running.close())
  school = await server.addPartner('school')
  visitors = await besides(server)
})
afterAll(lifetime.close)

/** Visitors on the stores of the server, for what has no address of its own. */
async function besides({ config }: TestServer): Promise<Visitors> {
  const { db } = lifetime.own(
    'integration store',
    await openIntegrationStore(config.Db.IntegrationDb),
    store => store.close(),
  )
  const main = lifetime.own('main store', await openMainStore(config.Db.Url), store => store.close())
  const [keys, clock] = [new Keys(JWT_SECRET), Date.now]
  const conferences = {
    isLive: async () => false,
    preview: async () => null,
    reevaluateLobby: async () => {},
    listLive: async () => new Set<string>(),
    end: async () => {},
    endMembership: async () => {},
    endSharedMemberships: async () => {},
  }
  const participants = participantStore(db)
  return new Visitors({
    personalLinks: { readLink: async () => null },
    rooms: new Rooms({
      store: roomStore(db),
      conferences,
      clock,
      memberships: new Memberships({ participants, conferences }),
    }),
    links: new Links(keys),
    participants,
    accounts: new Accounts(userStore(main.db), clock),
    keys,
    clock,
  })
}

let rooms = 0
const newRoom = (body: unknown = {}) => school.room(`lesson-${++rooms}`, body)
const admit = (joinUrl: string, userId: number) => visitors.admit(tokenOf(joinUrl), userId)
const userOf = async (joinUrl: string): Promise<number> =>
  (await enterLink(server.call, joinUrl)).body.user_id
const refuses = (attempt: Promise<unknown>, code: string) => expect(attempt).rejects.toMatchObject({ code })
const ANYBODY = 999

describe('a signed link at a login of the control channel', () => {
  it('grants the teacher the moderator role and the student the participant role (LINK-3)', async () => {
    const room = await newRoom({ teacher: { display_name: 'Ms T' } })
    const { tag } = room
    expect(await admit(room.teacher_join_url, ANYBODY)).toEqual({
      tag,
      role: 'moderator',
      displayName: 'Ms T',
      isShared: true,
    })
    expect(await admit(room.student_join_url, ANYBODY)).toEqual({
      tag,
      role: 'participant',
      displayName: '',
      isShared: true,
    })
  })

  it('grants no name of which nothing is visible, and no line breaks', async () => {
    const names = { teacher: { display_name: 'Ms\nT' }, student: { display_name: '\u3164\u200b' } }
    const room = await newRoom(names)
    expect((await admit(room.teacher_join_url, ANYBODY)).displayName).toBe('Ms T')
    expect(room.student.display_name).toBe('')
  })

  it('grants the latest name in the room', async () => {
    const room = await newRoom({ teacher: { display_name: 'Ms T' } })
    await school.patch(room.external_id, { teacher: { display_name: 'Ms Thorn' } })
    expect((await admit(room.teacher_join_url, ANYBODY)).displayName).toBe('Ms Thorn')
  })

  it('is valid only for its person (LINK-4)', async () => {
    const room = await newRoom({ teacher: { external_id: 'thorn' }, student: { external_id: 'sam' } })
    const [thorn, sam] = [await userOf(room.teacher_join_url), await userOf(room.student_join_url)]
    expect((await admit(room.teacher_join_url, thorn)).role).toBe('moderator')
    expect((await admit(room.student_join_url, sam)).role).toBe('participant')
    await refuses(admit(room.teacher_join_url, sam), 'permission_denied')
    await refuses(admit(room.student_join_url, thorn), 'permission_denied')
  })

  it('is invalid before its person has an account', async () => {
    const room = await newRoom({ teacher: { external_id: 'nobody yet' } })
    await refuses(admit(room.teacher_join_url, ANYBODY), 'permission_denied')
  })

  it('is invalid for everybody after its rotation', async () => {
    const room = await newRoom({ teacher: { external_id: 'old' } })
    const old = await userOf(room.teacher_join_url)
    await school.patch(room.external_id, { teacher: { external_id: 'new' } })
    await refuses(admit(room.teacher_join_url, old), 'link_rotated')
    await refuses(admit(room.teacher_join_url, ANYBODY), 'link_rotated')
  })

  it.each([
    ['close', 'room_closed'],
    ['cancel', 'room_cancelled'],
  ])('is invalid for everybody after %s', async (verb, code) => {
    const room = await newRoom({ teacher: { external_id: 'late' } })
    const late = await userOf(room.teacher_join_url)
    await school.call('POST', `/rooms/${room.external_id}/${verb}`)
    await refuses(admit(room.teacher_join_url, late), code)
    await refuses(admit(room.student_join_url, late), code)
  })

  it('is invalid when it was forged, its room does not exist, or the partner module is disabled', async () => {
    const room: RoomResponse = await newRoom()
    const token = tokenOf(room.teacher_join_url)
    await refuses(visitors.admit(token.slice(1), ANYBODY), 'link_invalid')
    const elsewhere = lifetime.own('empty', await startTestServer(), running => running.close())
    await refuses((await besides(elsewhere)).admit(token, ANYBODY), 'link_invalid')
    await refuses(standalone.verifyJoinToken(token, ANYBODY), 'link_invalid')
  })
})

import type { PartnerClient, RoomResponse } from '@lectern/partner'
import { beforeAll, describe, expect, it } from 'vitest'
import { useLectern } from './support/lectern.ts'
import { type Account, becomeGuest, signInByLink } from './support/members.ts'
import { loginFrame, OFFER, type RawControlSocket, useRawControl } from './support/raw-control.ts'

const MAX_FRAME_BYTES = 262_144

const lectern = useLectern(() => ({ SVC_LIMITS_ENABLED: '0' }))
const open = useRawControl()
let partner: PartnerClient
let guest: Account
let room: RoomResponse
beforeAll(async () => {
  partner = lectern.client(await lectern.addAccount())
  guest = await becomeGuest(lectern.url, 'Mia')
  room = await partner.createRoom('lesson', { teacher: { display_name: 'Anna', external_id: 'teacher-7' } })
})

const refused = (status: number, code: string) => ({
  status,
  body: { result: status, code, message: expect.any(String) },
})

describe('the handshake', () => {
  it('requires the subprotocol', async () => {
    expect((await open(lectern.url, { protocols: [] })).refusal).toEqual(refused(400, 'invalid_argument'))
    const other = await open(lectern.url, { protocols: ['svc.other'] })
    expect(other.refusal).toEqual(refused(400, 'invalid_argument'))
    const both = await open(lectern.url, { protocols: ['svc.other', 'svc.control'] })
    expect(both.socket.protocol).toBe('svc.control')
  })

  it('accepts pages of its own origin and programs, but no page of another origin', async () => {
    for (const origin of ['https://evil.example', 'null', `${lectern.url}.evil.example`])
      expect((await open(lectern.url, { origin })).refusal).toEqual(refused(403, 'permission_denied'))
    expect((await open(lectern.url, { origin: lectern.url })).refusal).toBeNull()
    expect((await open(lectern.url)).refusal).toBeNull()
  })

  it('answers plain HTTP with 426 Upgrade Required', async () => {
    const response = await fetch(`${lectern.url}/api/v1.0/control`)
    expect({ status: response.status, body: await response.json() }).toEqual(refused(426, 'upgrade_required'))
  })
})

describe('the login', () => {
  it('must be the first frame, within 10 s', async () => {
    const silent = await open(lectern.url)
    const eager = await open(lectern.url)
    eager.send({ id: '1', command: 'conference.join', params: {} })
    expect(await eager.waitForClose()).toEqual([4400, 'unauthenticated'])
    expect(await silent.waitForClose()).toEqual([4408, 'login_timeout'])
  })

  it.each([
    ['an unknown token', 4401, 'unauthenticated', () => loginFrame({ ...guest, access_token: 'wrong' })],
    [
      'an offer without v2',
      4400,
      'protocol_unsupported',
      () => loginFrame(guest, { offer: { ...OFFER, versions: [1] } }),
    ],
    [
      'an unknown profile',
      4400,
      'protocol_unsupported',
      () => loginFrame(guest, { offer: { ...OFFER, profiles: ['other'] } }),
    ],
    ['a forged link', 4401, 'link_invalid', () => loginFrame(guest, { link: `${room.student_join_url}x` })],
    [
      "another person's link",
      4403,
      'permission_denied',
      () => loginFrame(guest, { link: room.teacher_join_url }),
    ],
    [
      'an unknown field',
      4400,
      'invalid_argument',
      () => ({ login: { ...loginFrame(guest).login, more: 1 } }),
    ],
  ])('is rejected with %s', async (_, close, code, frame) => {
    const raw = (await open(lectern.url)).send(frame())
    expect(await raw.waitForClose()).toEqual([close, code])
    const error = { code, message: expect.any(String) }
    expect(raw.frames).toEqual([{ login_result: { ok: false, error } }])
  })

  it('returns the user, and selects v2 where it is offered', async () => {
    const v2 = (await open(lectern.url)).send(loginFrame(guest, { offer: OFFER }))
    const user = expect.objectContaining({ user_id: guest.user_id, kind: 'guest', display_name: 'Mia' })
    expect(await v2.waitForFrame('login_result')).toEqual({
      login_result: {
        ok: true,
        user,
        protocol_selection: expect.objectContaining({ version: 2, profile: 'svc.control.v2.core' }),
      },
    })
    const v1 = (await open(lectern.url)).send(loginFrame(guest))
    expect(await v1.waitForFrame('login_result')).toEqual({ login_result: { ok: true, user } })
  })
})

describe('a frame', () => {
  const connect = async () => {
    const raw = (await open(lectern.url)).send(loginFrame(guest, { offer: OFFER }))
    await raw.waitForFrame('login_result')
    return raw
  }

  it('that is binary closes the connection', async () => {
    const raw = await connect()
    raw.socket.send(Buffer.from('{}'))
    expect(await raw.waitForClose()).toEqual([4400, 'invalid_argument'])
  })

  it.each([
    ['no JSON', '{'],
    ['no UTF-8', Buffer.from([0x22, 0xff, 0x22])],
    ['of two kinds', '{"control_sync":{},"control_command":{}}'],
    ['of a kind that only servers send', '{"control_event":{}}'],
    ['a command before the sync', '{"control_command":{}}'],
  ])('that is %s closes the connection', async (_, frame) => {
    const raw = await connect()
    raw.socket.send(frame, { binary: false })
    expect(await raw.waitForClose()).toEqual([4400, 'invalid_argument'])
  })

  it('above the size limit closes the connection', async () => {
    const raw = (await connect()).send('x'.repeat(MAX_FRAME_BYTES + 1))
    expect(await raw.waitForClose()).toEqual([4400, 'resource_exhausted'])
  })

  it('of more than twice the size limit is not read', async () => {
    const raw = (await connect()).send('x'.repeat(2 * MAX_FRAME_BYTES + 1))
    expect((await raw.waitForClose())[0]).toBe(1009)
  })
})

describe('a v1 session', () => {
  const connect = async (account: Account, link: string) => {
    const raw = (await open(lectern.url)).send(loginFrame(account, { link }))
    await raw.waitForFrame('login_result')
    const target = { kind: 'conference', id: room.tag }
    raw.send({ id: 'join', command: 'conference.join', target, params: {} })
    const { result } = (await raw.waitForFrame('id', 'join')) as { result: JoinResult }
    return { raw, result }
  }
  const request = (raw: RawControlSocket, id: string, command: string, params: object) =>
    raw.send({ id, command, params }).waitForFrame('id', id)

  it('joins, sends chat messages and receives events', async () => {
    const account = await signInByLink(room.teacher_join_url)
    const anna = await connect(account, room.teacher_join_url)
    const mia = await connect(guest, room.student_join_url)
    expect([anna, mia].map(({ result }) => result.role)).toEqual(['moderator', 'participant'])
    expect(mia.result.state.participants).toHaveLength(2)
    const { participant_id } = mia.result
    expect(await anna.raw.waitForFrame('event', 'participant.joined')).toMatchObject({
      data: { participant: {} },
    })

    const { result } = (await request(mia.raw, 'say', 'chat.send', { text: 'Hello' })) as { result: object }
    const message = {
      ...{ ...result, user_id: String(guest.user_id), display_name: 'Mia', text: 'Hello' },
      ...{ edited_at_ms: null, deleted: false },
    }
    for (const { raw } of [anna, mia])
      expect(await raw.waitForFrame('event', 'chat.message')).toEqual({
        event: 'chat.message',
        data: { message },
      })
    expect(await request(anna.raw, 'back', 'chat.history', {})).toEqual({
      id: 'back',
      result: { messages: [message], has_older: false },
    })

    mia.raw.socket.close()
    const left = { participant_id, reason: 'left' }
    expect(await anna.raw.waitForFrame('event', 'participant.left')).toMatchObject({ data: left })
  })

  it('receives errors for forbidden, invalid and unknown commands', async () => {
    const { raw } = await connect(guest, room.student_join_url)
    const code = async (id: string, command: string, params: object) =>
      ((await request(raw, id, command, params)).error as { code: string }).code
    expect(await code('1', 'conference.set_lock', { locked: true })).toBe('permission_denied')
    expect(await code('2', 'chat.send', { text: '' })).toBe('invalid_argument')
    expect(await code('3', 'no.such_command', {})).toBe('unsupported_feature')
    raw.send('[]')
    expect(await raw.waitForClose()).toEqual([4400, 'invalid_argument'])
  })
})

interface JoinResult {
  role: string
  participant_id: string
  state: { participants: object[] }
}

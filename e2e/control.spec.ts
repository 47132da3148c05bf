import { testSeed } from '@lectern/common/testing'
import type { PartnerClient } from '@lectern/partner'
import { beforeAll, describe, expect, it } from 'vitest'
import { addUser, signInAs } from './support/accounts.ts'
import { PLAIN_LINK_OPEN, useLectern } from './support/lectern.ts'
import { tokenOf } from './support/links.ts'
import { runMalformed } from './support/malformed.ts'
import {
  type Account,
  becomeGuest,
  type Member,
  signInByLink,
  signOut,
  useMembers,
} from './support/members.ts'
import { type TcpProxy, useProxies } from './support/proxy.ts'
import { loginFrame, OFFER, type RawControlSocket, useRawControl } from './support/raw-control.ts'

/** More characters than the replay buffer of a stream holds. */
const MISSED = 150
const LONG_TEXT = 'x'.repeat(3_990)
/** The endurance suite sends more (malformed.spec.ts). */
const MALFORMED_FRAMES = 300

const lectern = useLectern(() => ({
  ...PLAIN_LINK_OPEN,
  SVC_LIMITS_ENABLED: '0',
  SVC_SERVER_LOG_LEVEL: 'trace',
}))
const enter = useMembers()
const openRaw = useRawControl()
const makeProxy = useProxies()
let partner: PartnerClient
let rooms = 0
beforeAll(async () => {
  partner = lectern.client(await lectern.addAccount())
})

const NOT_MODERATOR = { code: 'permission_denied', reason: 'not_moderator' }

/** A teacher and a student in a room of their own, behind one network. */
async function meet() {
  const id = `room-${++rooms}`
  const people = { teacher: { display_name: 'Anna', external_id: id }, student: { display_name: 'Mia' } }
  const { tag, teacher_join_url, student_join_url } = await partner.createRoom(id, people)
  const network = await makeProxy(lectern.url)
  const by = (account: Account, link?: string) =>
    enter({ url: network.url, tag, account, ...(link && { link }) })
  const [account, visitor] = [await signInByLink(teacher_join_url), await becomeGuest(lectern.url)]
  const teacher = await by(account, teacher_join_url).waitForJoin()
  const student = await by(visitor, student_join_url).waitForJoin()
  return { id, tag, network, by, account, visitor, teacher, student, teacher_join_url, student_join_url }
}

/** Data that was frozen is lost: the server sent it to a connection that no longer exists. */
function reconnect(network: TcpProxy) {
  network.cut()
  network.restore()
}

const presenceOf = (member: Member, { id }: Member) =>
  member.view?.participants.find(({ participant_id }) => participant_id === id)?.presence

describe('the connections of a room', () => {
  it('have the role of their own link, until it is rotated', async () => {
    const room = await meet()
    const byTag = await room.by(room.account).waitForJoin()
    expect([room.teacher, byTag].map(({ membership }) => membership.role)).toEqual([
      'moderator',
      'participant',
    ])
    await room.teacher.lock(true)
    for (const each of [byTag, room.student])
      await expect(each.lock(true)).rejects.toMatchObject(NOT_MODERATOR)
    const thief = room.by(room.visitor, room.teacher_join_url)
    expect(await thief.waitForEnd()).toEqual({ is: 'forbidden', code: 'permission_denied' })

    await partner.updateRoom(room.id, { teacher: { external_id: 'another' } })
    await expect(room.teacher.sendChat('Still here')).rejects.toMatchObject({ name: 'ControlFailure' })
    expect(await room.teacher.waitForEnd()).toEqual({ is: 'forbidden', code: 'link_rotated' })
    await room.student.waitForView('the teacher left', ({ participants }) =>
      participants.every(each => each.participant_id !== room.teacher.id),
    )
    expect(await room.student.sendChat('Still here')).toBeTruthy()
  })

  it('of a removed person are refused until a moderator readmits them', async () => {
    const { teacher, student, by, visitor, student_join_url } = await meet()
    await teacher.command('participant.remove', { participant_id: student.id })
    await student.waitForView('own removal', ({ participants }) => participants.length === 1)
    for (const link of [student_join_url, undefined])
      expect(await by(visitor, link).refused()).toBe('removed')
    await teacher.command('participant.readmit', { user_id: String(visitor.user_id) })
    await by(visitor, student_join_url).waitForJoin()
  })

  it('end with the room, and nobody joins it again', async () => {
    const { id, network, teacher, student } = await meet()
    expect(await partner.roomStatus(id)).toMatchObject({ live: true, status: 'active' })
    network.freeze()
    await partner.closeRoom(id)
    expect(await partner.roomStatus(id)).toMatchObject({ live: false, status: 'closed' })
    reconnect(network)
    for (const member of [teacher, student])
      expect(await member.waitForEnd()).toEqual({ is: 'forbidden', code: 'room_closed' })
  })

  it('that are lost return as the same participants, with everything that they missed', async () => {
    const { network, teacher, student, tag } = await meet()
    const near = await enter({ url: lectern.url, tag, account: await becomeGuest(lectern.url) }).waitForJoin()
    network.cut()
    await near.waitForView('both go', () =>
      [teacher, student].every(each => presenceOf(near, each) === 'away'),
    )
    network.restore()
    await near.waitForView('both back', () =>
      [teacher, student].every(each => presenceOf(near, each) === 'here'),
    )

    network.freeze()
    await Promise.all(Array.from({ length: MISSED }, (_, i) => near.sendChat(`${i} ${LONG_TEXT}`)))
    reconnect(network)
    const newest = (await near.history()).at(-1)?.text
    for (const each of [near, teacher, student])
      await each.waitForView('the newest', view => view.messages.at(-1)?.text === newest)
    await student.waitForView('the same', view => JSON.stringify(view) === JSON.stringify(near.view))
    expect(await student.history()).toHaveLength(MISSED)
    expect([teacher, student].map(({ joins }) => joins.length)).toEqual([1, 1])
  })

  it('continue in the same session after kill -9 of the server, with its lock and every message', async () => {
    const { teacher, student } = await meet()
    const { session } = teacher
    await teacher.lock(true)
    const sent = Array.from({ length: 20 }, (_, i) => student.sendChat(`message ${i}`))
    await sent[4]
    await lectern.stop('SIGKILL')
    await lectern.start()
    await Promise.all(sent)
    for (const each of [teacher, student]) expect((await each.waitForJoin(2)).session).toBe(session)
    const texts = (await teacher.history()).map(({ text }) => text)
    expect(texts.sort()).toEqual(sent.map((_, i) => `message ${i}`).sort())
    expect(student.view).toMatchObject({ locked: true, chat_mode: 'open' })
  })
})

async function logIn(account: Account, link?: string): Promise<RawControlSocket> {
  const raw = await openRaw(lectern.url)
  raw.send(loginFrame(account, { offer: OFFER, ...(link && { link }) }))
  await raw.waitForFrame('login_result')
  return raw
}

describe('an account', () => {
  it('is told at its next login that it was signed out, or deleted', async () => {
    const { network, account, visitor, teacher, student } = await meet()
    network.freeze()
    for (const each of [account, visitor]) await signOut(lectern.url, each)
    reconnect(network)
    expect(await teacher.waitForEnd()).toEqual({ is: 'signed-out', code: 'session_ended' })
    // A guest who cannot sign in again may become another guest; only this code permits it (rule PERSON-4).
    expect(await student.waitForEnd()).toEqual({ is: 'account-deleted' })
  })

  it('W15 loses its connections when another process sets a new password', async () => {
    const carla = await addUser(lectern, 'carla')
    const idle = await logIn(await signInAs(lectern, carla))
    await lectern.command('user', 'set', 'carla', '--password', 'another long one')
    expect(await idle.waitForClose()).toEqual([4401, 'session_ended'])
  })
})

interface SyncResult {
  control_sync_result: { binding: object; resume_token: string }
}

describe('whatever a client sends', () => {
  it('is answered with documented codes, and the service stays as it is', async () => {
    const seed = testSeed()
    const { tag } = await partner.createRoom('attacked')
    const answers = await runMalformed({ url: lectern.url, tag, frames: MALFORMED_FRAMES, seed })
    expect([...answers.keys()]).toContain('close 4400 invalid_argument')
    expect(lectern.log).not.toMatch(/"level":"(error|fatal)"/)
  })

  it('appears in no log at level trace if it is secret', async () => {
    const { tag, teacher_join_url, student_join_url } = await partner.createRoom('secrets', {
      teacher: { external_id: 'teacher-7' },
      student: { display_name: 'Mia' },
    })
    const teacher = await signInByLink(teacher_join_url)
    const guest = await becomeGuest(lectern.url)
    await enter({ url: lectern.url, tag, account: teacher, link: teacher_join_url }).waitForJoin()
    const sync = (rest: object) => ({
      control_sync: { request_id: 'r1', control_instance_id: 'i1', cursors: [], ...rest },
    })
    const tokenIn = async (raw: RawControlSocket) =>
      ((await raw.waitForFrame('control_sync_result')) as unknown as SyncResult).control_sync_result
    const first = (await logIn(guest, student_join_url)).send(sync({ mode: 'fresh' }))
    const { binding, resume_token } = await tokenIn(first)
    first.socket.terminate()
    const second = await logIn(guest, student_join_url)
    const { resume_token: next } = await tokenIn(
      second.send(sync({ mode: 'resume', resume: { binding, resume_token } })),
    )
    second.send(`{"control_sync": "${next}"}`)
    await second.waitForClose()
    await logIn({ ...guest, access_token: `${guest.access_token}x` }, student_join_url)
    await logIn(guest, teacher_join_url)

    expect(lectern.log).toContain('/auth/guest') // the log was captured
    const tokens = [teacher, guest].flatMap(({ access_token, refresh_token }) => [
      access_token,
      refresh_token,
    ])
    for (const secret of [
      ...tokens,
      ...[teacher_join_url, student_join_url].map(tokenOf),
      resume_token,
      next,
    ])
      expect(lectern.log).not.toContain(secret)
  })
})

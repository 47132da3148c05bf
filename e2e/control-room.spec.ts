import type { PartnerClient, RoomRequest } from '@lectern/partner'
import { beforeAll, describe, expect, it } from 'vitest'
import { PLAIN_LINK_OPEN, useLectern } from './support/lectern.ts'
import { type Account, becomeGuest, signInByLink, signOut, useMembers } from './support/members.ts'
import { useProxies } from './support/proxy.ts'
import { waitFor } from './support/wait.ts'

const lectern = useLectern(() => ({
  ...PLAIN_LINK_OPEN,
  SVC_LIMITS_ENABLED: '0',
  SVC_CONFERENCES_EMPTY_GRACE_SECONDS: '2',
}))
const enter = useMembers()
const makeProxy = useProxies()
let partner: PartnerClient
let rooms = 0
beforeAll(async () => {
  partner = lectern.client(await lectern.addAccount())
})

const LESSON: RoomRequest = {
  teacher: { display_name: 'Anna', external_id: 'teacher-7' },
  student: { display_name: 'Mia' },
}
const NOT_MODERATOR = { code: 'permission_denied', reason: 'not_moderator' }

/** Creates a room with functions to join it. */
async function makeRoom(lesson = LESSON) {
  const id = `room-${++rooms}`
  const { tag, teacher_join_url, student_join_url } = await partner.createRoom(id, lesson)
  const proxy = await makeProxy(lectern.url)
  const by = (account: Account, link?: string) =>
    enter({ url: proxy.url, tag, account, ...(link && { link }) })
  return {
    id,
    proxy,
    by,
    teacherLink: teacher_join_url,
    studentLink: student_join_url,
    teacher: async () => by(await signInByLink(teacher_join_url), teacher_join_url).waitForJoin(),
    student: async () => by(await becomeGuest(lectern.url), student_join_url).waitForJoin(),
  }
}

describe('a teacher link', () => {
  it('grants the moderator role to its connection only', async () => {
    const room = await makeRoom()
    const account = await signInByLink(room.teacherLink)
    const byLink = await room.by(account, room.teacherLink).waitForJoin()
    const byTag = await room.by(account).waitForJoin()
    expect([byLink.membership.role, byTag.membership.role]).toEqual(['moderator', 'participant'])
    await expect(byTag.lock(true)).rejects.toMatchObject(NOT_MODERATOR)
    await byLink.lock(true)
    await byLink.lock(false)

    byLink.leave()
    byTag.leave()
    const later = await room.by(account).waitForJoin()
    expect(later.membership.role).toBe('participant')
    await expect(later.lock(true)).rejects.toMatchObject(NOT_MODERATOR)
  })

  it('is rejected for another account', async () => {
    const room = await makeRoom()
    const other = room.by(await becomeGuest(lectern.url), room.teacherLink)
    expect(await other.waitForEnd()).toEqual({ is: 'forbidden', code: 'permission_denied' })
  })

  it('loses its role at the next command after it was rotated', async () => {
    const room = await makeRoom()
    const teacher = await room.teacher()
    await partner.updateRoom(room.id, { teacher: { external_id: 'teacher-8' } })
    await expect(teacher.sendChat('Still here')).rejects.toMatchObject({ name: 'ControlFailure' })
    expect(await teacher.waitForEnd()).toEqual({ is: 'forbidden', code: 'link_rotated' })
  })

  it('is rejected at the next login after it was rotated', async () => {
    const room = await makeRoom()
    const teacher = await room.teacher()
    room.proxy.cut()
    await partner.updateRoom(room.id, { teacher: { external_id: 'teacher-8' } })
    room.proxy.restore()
    expect(await teacher.waitForEnd()).toEqual({ is: 'forbidden', code: 'link_rotated' })
  })
})

describe('a student', () => {
  it('cannot lock the room, remove people, mute the chat or end the session', async () => {
    const room = await makeRoom()
    const [teacher, student] = [await room.teacher(), await room.student()]
    await student.waitForView('both', ({ participants }) => participants.length === 2)
    const before = student.view
    const attempts = [
      student.lock(true),
      student.command('participant.remove', { participant_id: teacher.id }),
      student.command('participant.readmit', { user_id: '1' }),
      student.command('chat.set_mode', { mode: 'read_only' }),
      student.end(),
    ]
    for (const attempt of attempts) await expect(attempt).rejects.toMatchObject(NOT_MODERATOR)
    expect(student.view).toEqual(before)
  })

  it('cannot rejoin after a removal until a moderator readmits them or the session ends', async () => {
    const room = await makeRoom()
    const [teacher, student] = [await room.teacher(), await room.student()]
    const account = await becomeGuest(lectern.url)
    const removed = await room.by(account, room.studentLink).waitForJoin()
    const remove = (id: string) => teacher.command('participant.remove', { participant_id: id })
    const user_id = String(account.user_id)

    await remove(removed.id)
    await student.waitForView('who was removed', view =>
      view.removed.some(person => person.user_id === user_id),
    )
    await removed.join()
    expect(await removed.refused(2)).toBe('removed')
    expect(await room.by(account, room.studentLink).refused()).toBe('removed')
    expect(await room.by(account).refused()).toBe('removed')

    await teacher.command('participant.readmit', { user_id })
    const back = await room.by(account, room.studentLink).waitForJoin()
    await remove(back.id)
    expect(await room.by(account, room.studentLink).refused()).toBe('removed')

    await teacher.end()
    await student.waitForView('the end', ({ ended }) => ended === 'ended')
    await room.teacher()
    const next = await room.by(account, room.studentLink).waitForJoin()
    expect(next.session).not.toBe(student.session)
  })

  it('leaves no stale participant after a reload or after leaving the page', async () => {
    const room = await makeRoom()
    const teacher = await room.teacher()
    const gone: unknown[] = []
    teacher.client.onEvent(({ name, body }) => {
      if (name === 'participant.left') gone.push(body)
    })
    const account = await becomeGuest(lectern.url)
    const first = await room.by(account, room.studentLink).waitForJoin()
    first.leavePage()
    const second = await room.by(account, room.studentLink).waitForJoin()
    second.leave()
    const third = await room.by(account, room.studentLink).waitForJoin()

    const present = [teacher.id, third.id]
    await teacher.waitForView('one student', ({ participants }) => participants.length === present.length)
    expect(teacher.view?.participants.map(({ participant_id }) => participant_id)).toEqual(present)
    const left = [first, second].map(({ id }) => ({ participant_id: id, reason: 'left' }))
    await waitFor(() => gone.length === left.length, 'both previous participants are gone')
    expect(gone).toEqual(left)
  })
})

describe('a person', () => {
  it('is two participants on two devices', async () => {
    const room = await makeRoom()
    const account = await becomeGuest(lectern.url)
    const phone = await room.by(account, room.studentLink).waitForJoin()
    const laptop = await room.by(account, room.studentLink).waitForJoin()
    await phone.waitForView('both devices', ({ participants }) => participants.length === 2)
    const devices = phone.view?.participants.map(each => [each.participant_id, each.user_id])
    const user = String(account.user_id)
    expect(devices).toEqual([
      [phone.id, user],
      [laptop.id, user],
    ])
  })

  it('is informed at the next login that the account was deleted', async () => {
    const room = await makeRoom()
    const account = await becomeGuest(lectern.url)
    const guest = await room.by(account, room.studentLink).waitForJoin()
    await lectern.command('user', 'remove', account.login)
    room.proxy.cut()
    room.proxy.restore()
    expect(await guest.waitForEnd()).toEqual({ is: 'account-deleted' })
  })

  it('is informed at the next login that the session has ended, and a guest that the account was deleted', async () => {
    const room = await makeRoom()
    const [account, visitor] = [await signInByLink(room.teacherLink), await becomeGuest(lectern.url)]
    const teacher = await room.by(account, room.teacherLink).waitForJoin()
    const guest = await room.by(visitor, room.studentLink).waitForJoin()
    await Promise.all([account, visitor].map(each => signOut(lectern.url, each)))
    room.proxy.cut()
    room.proxy.restore()
    expect(await teacher.waitForEnd()).toEqual({ is: 'signed-out', code: 'session_ended' })
    // A guest who cannot sign in again may become another guest; only this code permits it (rule PERSON-4).
    expect(await guest.waitForEnd()).toEqual({ is: 'account-deleted' })
  })
})

describe('a room', () => {
  it('is live while it has participants and during the grace period', async () => {
    const room = await makeRoom()
    const status = () => partner.roomStatus(room.id)
    const scheduled = { live: false, status: 'scheduled', stored_status: 'scheduled' }
    const active = { live: true, status: 'active', stored_status: 'scheduled' }
    expect(await status()).toMatchObject(scheduled)
    const student = await room.student()
    expect(await status()).toMatchObject(active)
    student.leave()
    expect(await status()).toMatchObject(active)
    await waitFor(async () => !(await status()).live, 'the grace time is over')
    expect(await status()).toMatchObject(scheduled)
  })

  it.each(['cancelled', 'closed'] as const)(
    'that is %s ends its session and rejects all joins',
    async how => {
      const room = await makeRoom()
      const [teacher, student] = [await room.teacher(), await room.student()]
      const plain = await room.by(await becomeGuest(lectern.url)).waitForJoin()
      expect(await partner.roomStatus(room.id)).toMatchObject({ live: true, status: 'active' })

      await (how === 'closed' ? partner.closeRoom(room.id) : partner.cancelRoom(room.id))
      for (const member of [teacher, student, plain])
        await member.waitForView('the end', ({ ended }) => ended === how)
      expect(await partner.roomStatus(room.id)).toMatchObject({
        live: false,
        status: how,
        stored_status: how,
      })
      await plain.join()
      expect(await plain.refused(2)).toBe(`room_${how}`)
      room.proxy.cut()
      room.proxy.restore()
      for (const member of [teacher, student])
        expect(await member.waitForEnd()).toEqual({ is: 'forbidden', code: `room_${how}` })
    },
  )
})

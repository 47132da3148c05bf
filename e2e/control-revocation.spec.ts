import { describe, expect, it } from 'vitest'
import { addUser, createConference, signInAs } from './support/accounts.ts'
import { useLectern } from './support/lectern.ts'
import { type Account, becomeGuest, signInByLink, signOut } from './support/members.ts'
import { loginFrame, type RawControlSocket, useRawControl } from './support/raw-control.ts'

const lectern = useLectern(() => ({ SVC_LIMITS_ENABLED: '0' }))
const open = useRawControl()

/** Sends a command in a v1 session, where each command is answered by one frame. */
async function logIn(account: Account, link?: string): Promise<RawControlSocket> {
  const raw = await open(lectern.url)
  raw.send(loginFrame(account, { ...(link && { link }) }))
  expect(await raw.waitForFrame('login_result')).toMatchObject({ login_result: { ok: true } })
  return raw
}

let ids = 0
async function request(raw: RawControlSocket, command: string, params: object, target?: object) {
  const id = `c${++ids}`
  raw.send({ id, command, params, ...(target && { target }) })
  return raw.waitForFrame('id', id)
}

const join = (raw: RawControlSocket, tag: string) =>
  request(raw, 'conference.join', {}, { kind: 'conference', id: tag })
const lease = (raw: RawControlSocket) =>
  request(raw, 'job.lease', { worker_id: 'w', holding: [] }, { kind: 'operation', id: 'recording' })

describe('W15 the next command of an open connection', () => {
  it('is rejected after the partner rotated the link, and the teacher leaves the session', async () => {
    const partner = lectern.client(await lectern.addAccount())
    const teacher = { external_id: 'teacher-1' }
    const { tag, teacher_join_url, student_join_url } = await partner.createRoom('rotated', { teacher })
    const moderator = await logIn(await signInByLink(teacher_join_url), teacher_join_url)
    expect(await join(moderator, tag)).toMatchObject({ result: { role: 'moderator' } })
    const student = await logIn(await becomeGuest(lectern.url), student_join_url)
    expect(await join(student, tag)).toMatchObject({ result: { role: 'participant' } })

    await partner.updateRoom('rotated', { teacher: { external_id: 'teacher-2' } })
    expect(await request(moderator, 'conference.set_lock', { locked: true })).toMatchObject({
      error: { code: 'permission_denied' },
    })
    expect(await moderator.waitForClose()).toEqual([4403, 'link_rotated'])
    await student.waitForFrame('event', 'participant.left')
    expect(await request(student, 'chat.send', { text: 'still here' })).toMatchObject({ result: {} })
  })

  it('is rejected after the command line revoked a capability in another process', async () => {
    const settings = { kind: 'worker' as const, capabilities: ['jobs.recorder'] }
    const worker = await logIn(await signInAs(lectern, await addUser(lectern, 'worker-1', settings)))
    expect(await lease(worker)).toMatchObject({ result: {} })
    await lectern.command('user', 'set', 'worker-1', '--capability', 'jobs.transcriber')
    expect(await lease(worker)).toMatchObject({ error: { code: 'permission_denied' } })
    await lectern.command('user', 'set', 'worker-1', '--capability', 'jobs.recorder')
    expect(await lease(worker)).toMatchObject({ result: {} })
  })

  it.each([
    ['removed the account', ['user', 'remove'], [], [4410, 'account_deleted']],
    ['set a new password', ['user', 'set'], ['--password', 'another long one'], [4401, 'session_ended']],
  ] as const)('is refused after the command line has %s', async (_, command, options, end) => {
    const login = `person-${++ids}`
    const account = await signInAs(lectern, await addUser(lectern, login))
    const { tag } = await createConference(lectern, account, 'Meeting')
    const owner = await logIn(account)
    expect(await join(owner, tag)).toMatchObject({ result: { role: 'moderator' } })
    await lectern.command(...command, login, ...options)
    owner.send({ id: 'late', command: 'chat.send', params: { text: 'x' } })
    expect(await owner.waitForClose()).toEqual(end)
    // The server may have closed the connection before the command arrived: then there is no answer.
    for (const answer of owner.frames.filter(({ id }) => id === 'late'))
      expect(answer).toMatchObject({ error: {} })
  })

  it('is rejected after a sign-out; an idle connection is closed as well', async () => {
    const account = await signInAs(lectern, await addUser(lectern, 'two-tabs'))
    const { tag } = await createConference(lectern, account, 'Meeting')
    const [active, silent] = [await logIn(account), await logIn(account)]
    await signOut(lectern.url, account)
    expect(await join(active, tag)).toMatchObject({ error: { code: 'unauthenticated' } })
    expect(await active.waitForClose()).toEqual([4401, 'session_ended'])
    expect(await silent.waitForClose()).toEqual([4401, 'session_ended'])
  })
})

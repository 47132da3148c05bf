import { describe, expect, it } from 'vitest'
import { addUser, signInAs } from './support/accounts.ts'
import { useLectern } from './support/lectern.ts'
import { type Account, becomeGuest } from './support/members.ts'
import { loginFrame, useRawControl } from './support/raw-control.ts'

// Strong hashes take the time in which the service is killed.
const lectern = useLectern(() => ({ SVC_LIMITS_ENABLED: '0', LECTERN_WEAK_PASSWORD_HASHES: '0' }))
const open = useRawControl()

async function send(method: string, path: string, token: string | null, body?: object) {
  const response = await fetch(`${lectern.url}/api/v1.0${path}`, {
    method,
    headers: {
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(body && { 'content-type': 'application/json' }),
    },
    body: body && JSON.stringify(body),
  })
  return { status: response.status, body: await response.json() }
}

const changePassword = ({ access_token }: Account, current: string, next: string) =>
  send('POST', '/me/password', access_token, { current, new: next })
const isSignedIn = async ({ access_token }: Account) =>
  (await send('GET', '/me', access_token)).status === 200
const canSignIn = async (login: string, password: string) =>
  (await send('POST', '/auth/login', null, { login, password })).status === 200

/** An open control connection of the account. */
async function connect(account: Account) {
  const raw = await open(lectern.url)
  raw.send(loginFrame(account))
  expect(await raw.waitForFrame('login_result')).toMatchObject({ login_result: { ok: true } })
  return raw
}

const ENDED = [4401, 'session_ended']
/** The control channel checks idle connections every second; a busy machine is slower. */
const SOON_MS = 15_000

describe('open control connections of an account', () => {
  it('close within about a second when another sign-in changes the password, except those of that sign-in', async () => {
    const user = await addUser(lectern, 'anna')
    const [own, other] = [await signInAs(lectern, user), await signInAs(lectern, user)]
    const guest = await becomeGuest(lectern.url)
    const [ownRaw, otherRaw, guestRaw] = [await connect(own), await connect(other), await connect(guest)]
    expect(await changePassword(own, user.password, 'a new password')).toMatchObject({ status: 200 })
    const changedAt = Date.now()
    expect(await otherRaw.waitForClose()).toEqual(ENDED)
    expect(Date.now() - changedAt).toBeLessThan(SOON_MS)
    for (const raw of [ownRaw, guestRaw]) {
      raw.send({ id: '1', command: 'conference.leave', params: {} })
      await raw.waitForFrame('id', '1')
    }
  })

  it('close when their sign-in is ended from another device', async () => {
    const user = await addUser(lectern, 'ben')
    const [own, other, third] = [
      await signInAs(lectern, user),
      await signInAs(lectern, user),
      await signInAs(lectern, user),
    ]
    const [otherRaw, thirdRaw] = [await connect(other), await connect(third)]
    const { body } = await send('GET', '/me/sign-ins', other.access_token)
    const { id } = body.sign_ins.find((each: { is_current: boolean }) => each.is_current)
    expect(await send('DELETE', `/me/sign-ins/${id}`, own.access_token)).toMatchObject({ status: 200 })
    expect(await otherRaw.waitForClose()).toEqual(ENDED)
    expect(await isSignedIn(third)).toBe(true)
    expect((await send('DELETE', '/me/sign-ins', own.access_token)).body).toEqual({ result: 200, ended: 1 })
    expect(await thirdRaw.waitForClose()).toEqual(ENDED)
  })

  it('close when an invitation resets the password', async () => {
    const user = await addUser(lectern, 'carla')
    const account = await signInAs(lectern, user)
    const raw = await connect(account)
    const { link = '' } = await lectern.command('user', 'invite', 'carla')
    const path = `/invitations/${link.split('/').at(-1)}`
    expect(await send('POST', path, null, { password: 'set again' })).toMatchObject({ status: 200 })
    expect(await raw.waitForClose()).toEqual(ENDED)
  })
})

/** From before the first hash to the moment of the answer. */
const DELAYS_MS = [0, 60, 120, 180, 240, 320, 400, 600, 30_000]

describe('a service that is killed while passwords change', () => {
  // Both in one test: each round needs a restart, which takes far longer than the changes.
  it('has stored the whole change or none of it, and has used up an invitation if, and only if, its password is set', async () => {
    const user = await addUser(lectern, 'dora')
    let password = user.password
    const outcomes = new Set<string>()
    const invitationsUsed = new Set<boolean>()
    for (const [round, delayMs] of DELAYS_MS.entries()) {
      const invited = `invited-${round}`
      const { link = '' } = await lectern.command('user', 'invite', invited)
      const invitation = `/invitations/${link.split('/').at(-1)}`
      const [own, other] = [
        await signInAs(lectern, { ...user, password }),
        await signInAs(lectern, { ...user, password }),
      ]
      const next = `password ${round}`
      const changing = answerOf(changePassword(own, password, next))
      const accepting = answerOf(send('POST', invitation, null, { password: 'chosen password' }))
      const both = Promise.all([changing, accepting])
      await Promise.race([both, new Promise(resolve => setTimeout(resolve, delayMs))])
      await lectern.stop('SIGKILL')
      const [answer, answerToInvited] = await both
      await lectern.start()

      const isNew = await canSignIn('dora', next)
      expect(await canSignIn('dora', password)).toBe(!isNew)
      expect(await isSignedIn(other)).toBe(!isNew)
      expect(await isSignedIn(own)).toBe(true)
      if (answer === 200) expect(isNew).toBe(true)
      outcomes.add(`${answer}, ${isNew ? 'new' : 'old'} password`)
      if (isNew) password = next

      const isSet = await canSignIn(invited, 'chosen password')
      expect((await send('GET', invitation, null)).status).toBe(isSet ? 404 : 200)
      if (answerToInvited === 200) expect(isSet).toBe(true)
      invitationsUsed.add(isSet)
    }
    expect(outcomes.size).toBeGreaterThan(1)
    expect(invitationsUsed).toEqual(new Set([true, false]))
  })
})

/** The status of an answer, which a killed server may not give. */
const answerOf = (answer: Promise<{ status: number }>) =>
  answer.then(
    ({ status }) => status,
    () => 'no answer',
  )

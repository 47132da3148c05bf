import { describe, expect, it } from 'vitest'
import { addUser, signInAs } from '../../support/accounts.ts'
import { useLectern } from '../../support/lectern.ts'
import type { Account } from '../../support/members.ts'

// Strong hashes take the time in which the service is killed.
const lectern = useLectern(() => ({ SVC_LIMITS_ENABLED: '0', LECTERN_WEAK_PASSWORD_HASHES: '0' }))

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

/** From before the first hash to the moment of the answer. */
const DELAYS_MS = [0, 60, 120, 180, 240, 320, 400, 600, 30_000]

describe('a service that is killed while passwords change', () => {
  // Both in one test: each round needs a restart, which takes far longer than the changes.
  it('has stored the whole change or none of it, and has used up an invitation if, and only if, its password is set (SELF-1, SELF-9)', async () => {
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

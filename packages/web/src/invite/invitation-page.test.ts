import { describe, expect, it } from 'vitest'
import type { ApiResponse } from '../api/api.ts'
import { InvitationPage } from './invitation-page.ts'

const UNREACHABLE: ApiResponse = { is: 'unreachable' }
const refused = (status: number, code: string): ApiResponse => ({
  is: 'refused',
  status,
  code,
  retryAfterMs: null,
})
const OPEN: ApiResponse = {
  is: 'ok',
  body: { login: 'anna', display_name: 'Anna', has_password: false, expires_at_ms: 5 },
}
const INVITATION = { login: 'anna', displayName: 'Anna', hasPassword: false, expiresAt: 5 }

function openPage(read: ApiResponse[], accept: ApiResponse[] = [], token = 'token_-1') {
  const paths: string[] = []
  const passwords: unknown[] = []
  let accepted = 0
  const page = new InvitationPage({
    token,
    api: {
      get: async path => {
        paths.push(path)
        return read.shift() ?? UNREACHABLE
      },
    },
    account: {
      signInBy: async (path, { password }) => {
        paths.push(path)
        passwords.push(password)
        return accept.shift() ?? UNREACHABLE
      },
    },
    onAccepted: () => accepted++,
  })
  return { page, paths, passwords, accepted: () => accepted }
}

describe('the page of an invitation', () => {
  it('shows whom it invites, and signs in with the chosen password', async () => {
    const { page, paths, passwords, accepted } = openPage([OPEN], [{ is: 'ok', body: {} }])
    expect(page.get()).toEqual({ is: 'loading' })
    await page.load()
    expect(page.get()).toEqual({ is: 'open', invitation: INVITATION, failure: null, isAccepting: false })
    const accepting = page.accept('a password')
    expect(page.get()).toMatchObject({ isAccepting: true })
    await Promise.all([accepting, page.accept('again')])
    expect(passwords).toEqual(['a password'])
    expect(new Set(paths)).toEqual(new Set(['/api/v1.0/invitations/token_-1']))
    expect(accepted()).toBe(1)
  })

  it.each([
    [refused(404, 'invitation_invalid'), 'invalid'],
    [refused(400, 'invalid_argument'), 'invalid'],
    [refused(410, 'invitation_expired'), 'expired'],
    [refused(403, 'account_disabled'), 'disabled'],
    [refused(403, 'password_sign_in_disabled'), 'passwordsOff'],
    [refused(429, 'rate_limited'), 'limited'],
    [refused(502, 'x'), 'failing'],
    [{ is: 'ok', body: null } as ApiResponse, 'failing'],
    [UNREACHABLE, 'unreachable'],
  ])('explains why it cannot open: %j', async (answer, problem) => {
    const { page } = openPage([answer, OPEN])
    await page.load()
    expect(page.get()).toEqual({ is: 'problem', problem })
    await page.load()
    expect(page.get()).toMatchObject({ is: 'open' })
  })

  it.each([
    [refused(503, 'temporarily_unavailable'), 'busy'],
    [refused(503, 'not_configured'), 'unconfigured'],
    [refused(429, 'rate_limited'), 'limited'],
    [refused(500, 'internal'), 'failing'],
    [UNREACHABLE, 'unreachable'],
  ])('stays open when accepting fails for a moment: %j', async (answer, failure) => {
    const { page, accepted } = openPage([OPEN], [answer, { is: 'ok', body: {} }])
    await page.load()
    await page.accept('a password')
    expect(page.get()).toEqual({ is: 'open', invitation: INVITATION, failure, isAccepting: false })
    await page.accept('a password')
    expect(accepted()).toBe(1)
  })

  it('closes when the link was used or replaced meanwhile', async () => {
    const { page } = openPage([OPEN], [refused(404, 'invitation_invalid')])
    await page.load()
    await page.accept('a password')
    expect(page.get()).toEqual({ is: 'problem', problem: 'invalid' })
  })

  it('never sends a damaged token as another path', async () => {
    const { page, paths } = openPage([OPEN], [], '../me?x#y')
    await page.load()
    expect(paths).toEqual(['/api/v1.0/invitations/..%2Fme%3Fx%23y'])
  })
})

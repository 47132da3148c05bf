import type { RequestListener } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Api } from '../api/api.ts'
import { serve } from '../api/testing.ts'
import { StoredValue } from '../stored-value.ts'
import { blockedStorage, makeStorage } from '../testing.ts'
import { Account } from './account.ts'
import { AccountIdentity } from './account-identity.ts'
import { createRunExclusive } from './run-exclusive.ts'

/** A promise: the answer waits for it. */
type Next = 'drop' | Promise<void> | [status: number, code: string, headers?: Record<string, string>]

let api: Api
let close: () => Promise<void>
let requests: { path: string; token: string | undefined; body: Record<string, string> }[]
let nexts: (Next | null)[]
let expiresIn: number
let userId: number
let storage: Storage

beforeEach(async () => {
  requests = []
  nexts = []
  expiresIn = 900
  userId = 7
  storage = makeStorage()
  ;({ api, close } = await serve(listener))
})
afterEach(() => close())

const listener: RequestListener = async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const body = JSON.parse(Buffer.concat(chunks).toString() || '{}')
  requests.push({ path: request.url ?? '', token: request.headers.authorization, body })
  const number = requests.length
  const next = nexts.shift()
  if (next === 'drop') return request.socket.destroy()
  if (next instanceof Promise) await next
  else if (next) return response.writeHead(next[0], next[2]).end(JSON.stringify({ code: next[1] }))
  const user = { user_id: userId, login: 'anna', display_name: 'Anna' }
  const tokens = {
    access_token: `access-${number}`,
    refresh_token: `refresh-${number}`,
    expires_in: expiresIn,
  }
  response.end(JSON.stringify({ result: 200, ...tokens, user }))
}

/** A tab, before or after a reload. */
const aTab = (open: () => Storage = () => storage) =>
  new Account({
    api,
    storage: new StoredValue('account', open),
    runExclusive: createRunExclusive('account', undefined),
  })

async function signedIn(open?: () => Storage) {
  const account = aTab(open)
  expect(await account.signIn('anna', 'secret')).toBeNull()
  return account
}

const ANNA = { is: 'in', user: { userId: 7, login: 'anna', displayName: 'Anna' } }
const paths = () => requests.map(({ path }) => path.replace('/api/v1.0/', ''))

describe('an account', () => {
  it('is signed in, and still is after a reload', async () => {
    const account = await signedIn()
    expect(account.get()).toEqual(ANNA)
    expect(requests[0]?.body).toEqual({ login: 'anna', password: 'secret' })
    expect(aTab().get()).toEqual(ANNA)
    expect(JSON.stringify(storage.getItem('account'))).not.toContain('secret')
  })

  it.each([
    [[401, 'invalid_credentials'] as Next, 'wrong'],
    [[400, 'invalid_argument'] as Next, 'wrong'],
    [[401, 'account_deleted'] as Next, 'deleted'],
    [[503, 'not_configured'] as Next, 'unconfigured'],
    [[503, 'temporarily_unavailable'] as Next, 'busy'],
    [[403, 'account_disabled'] as Next, 'disabled'],
    [[502, ''] as Next, 'failing'],
    ['drop' as Next, 'unreachable'],
  ])('stays out after %j', async (next, problem) => {
    nexts = [next]
    const account = aTab()
    expect(await account.signIn('anna', 'x')).toEqual({ is: problem })
    expect(account.get()).toEqual({ is: 'out', expired: false })
  })

  it('ends the earlier sign-in of this browser when another one begins', async () => {
    const account = await signedIn()
    userId = 8
    expect(await account.signInBy('/api/v1.0/invitations/x', { password: 'p' })).toMatchObject({ is: 'ok' })
    expect(account.get()).toMatchObject({ is: 'in', user: { userId: 8 } })
    await expect.poll(paths).toEqual(['auth/login', 'invitations/x', 'auth/logout'])
    expect(requests[2]?.body).toEqual({ refresh_token: 'refresh-1' })
  })

  it('keeps its sign-in when another one is refused', async () => {
    const account = await signedIn()
    nexts = [[404, 'invitation_invalid']]
    expect(await account.signInBy('/api/v1.0/invitations/x', {})).toMatchObject({
      code: 'invitation_invalid',
    })
    expect(account.get()).toEqual(ANNA)
  })

  it('has its new name in every tab, and keeps its tokens', async () => {
    const account = await signedIn()
    const other = aTab()
    const before = JSON.parse(storage.getItem('account') ?? '')
    await account.setDisplayName('Anna B.')
    other.syncFromStorage()
    for (const each of [account, other])
      expect(each.get()).toMatchObject({ user: { displayName: 'Anna B.' } })
    expect(JSON.parse(storage.getItem('account') ?? '')).toEqual({ ...before, displayName: 'Anna B.' })
  })

  it('reports when the next attempt is allowed', async () => {
    nexts = [[429, 'rate_limited', { 'retry-after': '60' }]]
    const problem = await aTab().signIn('anna', 'x')
    if (problem?.is !== 'limited') throw new Error('not limited')
    expect(problem.until - Date.now()).toBeGreaterThan(55_000)
  })

  it('signs out in every tab, and on the server', async () => {
    const [one, two] = [await signedIn(), aTab()]
    await one.signOut()
    two.syncFromStorage()
    expect([one.get(), two.get()]).toEqual(Array(2).fill({ is: 'out', expired: false }))
    expect(requests.at(-1)).toMatchObject({
      path: '/api/v1.0/auth/logout',
      body: { refresh_token: 'refresh-1' },
    })
    expect(storage).toHaveLength(0)
  })

  it('signs out at once while the server cannot be reached', async () => {
    const account = await signedIn()
    nexts = ['drop']
    await account.signOut()
    expect(aTab().get().is).toBe('out')
  })

  it('stays out if a refresh is answered after the sign-out, of which the server knows nothing', async () => {
    expiresIn = 30
    const account = await signedIn()
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
    nexts = [answered, 'drop']
    const tokens = account.tokens()
    await expect.poll(paths).toContain('auth/refresh')
    await account.signOut()
    answer()
    expect(await tokens).toBe('session_ended')
    expect(account.get()).toEqual({ is: 'out', expired: false })
    expect(storage).toHaveLength(0)
    await expect.poll(() => requests.at(-1)?.body).toEqual({ refresh_token: 'refresh-2' })
  })

  it('lasts as long as the tab where storage is blocked', async () => {
    const account = await signedIn(blockedStorage)
    expect(account.get()).toEqual(ANNA)
    expect(await account.tokens()).toMatchObject({ accessToken: 'access-1' })
  })

  it('sends requests with a valid access token', async () => {
    expiresIn = 30
    const account = await signedIn()
    await account.request({ method: 'GET', path: '/api/v1.0/conferences' })
    expect(paths()).toEqual(['auth/login', 'auth/refresh', 'conferences'])
    expect(requests[2]?.token).toBe('Bearer access-2')
  })

  it('replaces a rejected token once', async () => {
    const account = await signedIn()
    nexts = [[401, 'token_expired'], null, [401, 'token_expired']]
    expect(await account.request({ method: 'GET', path: '/api/v1.0/me' })).toMatchObject({ status: 401 })
    expect(paths()).toEqual(['auth/login', 'me', 'auth/refresh', 'me'])
  })

  it.each(['session_ended', 'account_deleted'])('is signed out when the server reports %s', async code => {
    const account = await signedIn()
    nexts = [
      [401, code],
      [401, code],
    ]
    expect(await account.request({ method: 'GET', path: '/api/v1.0/me' })).toMatchObject({ code })
    expect(account.get()).toEqual({ is: 'out', expired: true })
    expect(storage).toHaveLength(0)
  })

  it.each([['drop' as Next], [[500, 'internal'] as Next], [[429, 'rate_limited'] as Next]])(
    'survives the response %j',
    async problem => {
      expiresIn = 30
      const account = await signedIn()
      nexts = [problem]
      expect(await account.request({ method: 'GET', path: '/api/v1.0/me' })).toEqual({ is: 'unreachable' })
      expect(account.get()).toEqual(ANNA)
      expect(await account.tokens()).toMatchObject({ accessToken: 'access-3' })
    },
  )
})

describe('an account identity', () => {
  it('uses the access token of the account', async () => {
    const account = await signedIn()
    const member = new AccountIdentity(account, 7)
    expect(await member.accessToken()).toBe('access-1')
    expect(await member.accessToken('token_expired')).toBe('access-2')
  })

  it('refuses the token of an account that signed in later', async () => {
    const account = await signedIn()
    const member = new AccountIdentity(account, 7)
    await account.signOut()
    userId = 8
    await account.signIn('ben', 'secret')
    expect(await member.accessToken()).toBeNull()
    member.discard()
    expect(account.get()).toMatchObject({ is: 'in', user: { userId: 8 } })
  })

  it('signs the account out when it is deleted', async () => {
    const account = await signedIn()
    new AccountIdentity(account, 7).discard()
    expect(account.get()).toEqual({ is: 'out', expired: true })
  })
})

import type { RequestListener } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Api } from '../api/api.ts'
import { serve } from '../api/testing.ts'
import { StoredValue } from '../stored-value.ts'
import { blockedStorage, makeStorage } from '../testing.ts'
import { GuestIdentity } from './guest-identity.ts'
import { TemporarilyUnavailable } from './identity.ts'
import { LinkIdentity } from './link-identity.ts'
import { createRunExclusive } from './run-exclusive.ts'

interface LoggedRequest {
  path: string
  body: Record<string, string>
}

/** The server's next response: a success, an error with its status and code, or none. */
type Next = 'respond' | 'drop' | [status: number, code: string]

let api: Api
let close: () => Promise<void>
let requests: LoggedRequest[]
let nexts: Next[]
let expiresIn: number
let storage: Storage

beforeEach(async () => {
  requests = []
  nexts = []
  expiresIn = 900
  storage = makeStorage()
  ;({ api, close } = await serve(listener))
})
afterEach(() => close())

const listener: RequestListener = async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  requests.push({ path: request.url ?? '', body: JSON.parse(Buffer.concat(chunks).toString()) })
  const number = requests.length
  const next = nexts.shift() ?? 'respond'
  if (next === 'drop') return request.socket.destroy()
  if (next !== 'respond') return response.writeHead(next[0]).end(JSON.stringify({ code: next[1] }))
  const tokens = {
    access_token: `access-${number}`,
    refresh_token: `refresh-${number}`,
    expires_in: expiresIn,
  }
  const user = request.url?.includes('/join/') ? { user_id: 7 } : { user: { user_id: 7 } }
  response.end(JSON.stringify({ result: 200, ...tokens, ...user }))
}

/** Another tab, or the same one after a reload. */
const aTab = (open: () => Storage = () => storage, locks?: LockManager) =>
  new GuestIdentity({
    api,
    storage: new StoredValue('guest', open),
    runExclusive: createRunExclusive('guest', locks),
  })

/** The Web Locks of a browser, which older versions of Node lack. */
function sharedLocks(): LockManager {
  const inTurn = createRunExclusive('x', undefined)
  return { request: (_name: string, work: () => Promise<unknown>) => inTurn(work) } as unknown as LockManager
}

const REGISTER = '/api/v1.0/auth/guest'
const REFRESH = '/api/v1.0/auth/refresh'
const paths = () => requests.map(({ path }) => path)

describe('a guest', () => {
  it('is created on first use, with a name, and found again after a reload', async () => {
    const guest = aTab()
    guest.displayName = 'Sam'
    expect(await guest.accessToken()).toBe('access-1')
    expect(await guest.accessToken()).toBe('access-1')
    expect(guest.get()).toEqual({ is: 'known', userId: 7 })
    expect(await aTab().accessToken()).toBe('access-1')
    expect(requests).toEqual([{ path: REGISTER, body: { display_name: 'Sam' } }])
  })

  it('is one for two tabs that start at once (PERSON-3)', async () => {
    const locks = sharedLocks()
    const [one, two] = [aTab(() => storage, locks), aTab(() => storage, locks)]
    expect(await Promise.all([one.accessToken(), two.accessToken()])).toEqual(['access-1', 'access-1'])
    expect(paths()).toEqual([REGISTER])
  })

  it('is one for two tabs in a browser without locks', async () => {
    const [one, two] = await Promise.all([aTab().accessToken(), aTab().accessToken()])
    expect(one).toBe(two)
    expect(await aTab().accessToken()).toBe(one)
  })

  it('refreshes the token before it expires', async () => {
    expiresIn = 30
    await aTab().accessToken()
    expect(await aTab().accessToken()).toBe('access-2')
    expect(paths()).toEqual([REGISTER, REFRESH])
    expect(requests[1]?.body).toEqual({
      refresh_token: 'refresh-1',
      request_id: expect.stringMatching(/^[0-9a-f]{32}$/),
    })
  })

  it('refreshes the token when the server rejects it', async () => {
    const guest = aTab()
    await guest.accessToken()
    expect(await guest.accessToken('token_expired')).toBe('access-2')
  })

  it('uses the token that another tab has refreshed', async () => {
    const [one, two] = [aTab(), aTab()]
    await one.accessToken()
    await two.accessToken()
    await two.accessToken('token_expired')
    expect(await one.accessToken('token_expired')).toBe('access-2')
    expect(paths()).toEqual([REGISTER, REFRESH])
  })

  it('repeats a refresh whose response was lost with the same request_id, also after a reload (SIGN-3)', async () => {
    expiresIn = 30
    await aTab().accessToken()
    nexts = ['drop']
    await expect(aTab().accessToken()).rejects.toThrow(TemporarilyUnavailable)
    expect(await aTab().accessToken()).toBe('access-3')
    expect(requests[2]).toEqual(requests[1])
    await aTab().accessToken()
    expect(requests[3]?.body.request_id).not.toBe(requests[2]?.body.request_id)
  })

  it.each([['drop' as const], [[500, 'internal']], [[502, '']], [[429, 'rate_limited']]] satisfies [Next][])(
    'survives the response %j',
    async problem => {
      expiresIn = 30
      const guest = aTab()
      await guest.accessToken()
      nexts = [problem]
      await expect(guest.accessToken()).rejects.toThrow(TemporarilyUnavailable)
      expect(await guest.accessToken()).toBe('access-3')
      expect(paths()).toEqual([REGISTER, REFRESH, REFRESH])
    },
  )

  it('is not replaced when its sign-in has ended', async () => {
    expiresIn = 30
    await aTab().accessToken()
    nexts = [
      [401, 'session_ended'],
      [401, 'session_ended'],
    ]
    const guest = aTab()
    expect(await guest.accessToken()).toBeNull()
    expect(guest.get()).toEqual({ is: 'refused', code: 'session_ended' })
    expect(await aTab().accessToken()).toBeNull()
    expect(paths()).toEqual([REGISTER, REFRESH, REFRESH])
  })

  it('is replaced on a later visit when its account was deleted', async () => {
    expiresIn = 30
    await aTab().accessToken()
    nexts = [[401, 'account_deleted']]
    expect(await aTab().accessToken()).toBe('access-3')
    expect(paths()).toEqual([REGISTER, REFRESH, REGISTER])
  })

  it('stays signed out when its account is deleted during a visit', async () => {
    const guest = aTab()
    await guest.accessToken()
    nexts = [[401, 'account_deleted']]
    expect(await guest.accessToken('session_ended')).toBeNull()
    expect(guest.get()).toEqual({ is: 'refused', code: 'account_deleted' })
    expect(storage).toHaveLength(0)
  })

  it('is not created where guests are not admitted', async () => {
    nexts = [[403, 'guests_not_allowed']]
    const guest = aTab()
    expect(await guest.accessToken()).toBeNull()
    expect(guest.get()).toEqual({ is: 'refused', code: 'guests_not_allowed' })
  })

  it('lasts as long as the tab where storage is blocked', async () => {
    const guest = aTab(blockedStorage)
    expect(await guest.accessToken()).toBe('access-1')
    expect(await guest.accessToken()).toBe('access-1')
  })

  it('is created when the stored value is malformed', async () => {
    storage.setItem('guest', '{"accessToken":5}')
    expect(await aTab().accessToken()).toBe('access-1')
  })
})

describe('a person with a personal link', () => {
  it('signs in with the link, under the typed name', async () => {
    const person = new LinkIdentity(api, 'secret')
    person.displayName = 'Anna'
    expect(await person.accessToken()).toBe('access-1')
    expect(await person.accessToken()).toBe('access-1')
    expect(requests).toEqual([{ path: '/api/v1/integration/join/secret', body: { display_name: 'Anna' } }])
  })

  it('signs in again when the token is rejected or expires', async () => {
    const person = new LinkIdentity(api, 'secret')
    await person.accessToken()
    expect(await person.accessToken('token_expired')).toBe('access-2')
    expiresIn = 30
    await person.accessToken('token_expired')
    expect(await person.accessToken()).toBe('access-4')
  })

  it('reports why the link is not valid any more', async () => {
    const person = new LinkIdentity(api, 'secret')
    nexts = [[403, 'link_rotated']]
    expect(await person.accessToken()).toBeNull()
    expect(person.get()).toEqual({ is: 'refused', code: 'link_rotated' })
  })
})

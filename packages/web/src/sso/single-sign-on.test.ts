import { describe, expect, it } from 'vitest'
import type { ApiResponse } from '../api/api.ts'
import { StoredValue } from '../stored-value.ts'
import { SingleSignOn, type SsoReturn } from './single-sign-on.ts'

const ok = (body: unknown): ApiResponse => ({ is: 'ok', body })
const refused = (code: string): ApiResponse => ({ is: 'refused', status: 400, code, retryAfterMs: null })
const STARTED = ok({ authorization_url: 'https://login.example/auth?state=s', ticket: 'the ticket' })

class FakeStorage {
  readonly #items = new Map<string, string>()
  getItem = (key: string) => this.#items.get(key) ?? null
  setItem = (key: string, text: string) => void this.#items.set(key, text)
  removeItem = (key: string) => void this.#items.delete(key)
}

/** A tab whose pages share the storage; `responses` are the server's, in order. */
function openTab(responses: ApiResponse[], storage: () => Storage = shared(new FakeStorage())) {
  const sent: unknown[] = []
  const left: string[] = []
  const answer = async (method: string, path: string, body?: unknown) => {
    sent.push([method, path, body])
    return responses.shift() ?? ({ is: 'unreachable' } as const)
  }
  const sso = new SingleSignOn({
    api: {
      get: (path: string) => answer('GET', path),
      post: (path: string, body: unknown) => answer('POST', path, body),
    } as never,
    account: {
      request: ({ method, path, body }) => answer(`account ${method}`, path, body),
      signInBy: (path, body) => answer('sign in by', path, body),
    },
    storage: new StoredValue('sso', storage),
    location: { assign: (url: string | URL) => void left.push(String(url)) },
  })
  return { sso, sent, left }
}
const shared = (storage: FakeStorage) => () => storage as unknown as Storage

async function endOf(state: { get(): SsoReturn }): Promise<SsoReturn> {
  await expect.poll(() => state.get().is).not.toBe('completing')
  return state.get()
}

describe('single sign-on', () => {
  it('redirects to the provider, and continues on the page where it began', async () => {
    const storage = shared(new FakeStorage())
    const before = openTab([STARTED], storage)
    expect(await before.sso.start('/conferences/fox')).toBeNull()
    expect(before.left).toEqual(['https://login.example/auth?state=s'])
    const after = openTab([ok({ access_token: 'x' })], storage)
    expect(await endOf(after.sso.complete('?code=c&state=s'))).toEqual({
      is: 'done',
      returnTo: '/conferences/fox',
    })
    expect(after.sent).toEqual([
      ['sign in by', '/api/v1.0/auth/sso/complete', { query: '?code=c&state=s', ticket: 'the ticket' }],
    ])
    // A reload of the page completes nothing.
    expect(await endOf(openTab([], storage).sso.complete('?code=c'))).toMatchObject({ problem: 'expired' })
  })

  it('links an identity with the token of the account', async () => {
    const storage = shared(new FakeStorage())
    await openTab([STARTED], storage).sso.start('/settings', 'link')
    const after = openTab([refused('identity_taken')], storage)
    expect(await endOf(after.sso.complete('?code=c'))).toEqual({
      is: 'failed',
      problem: 'taken',
      returnTo: '/settings',
      purpose: 'link',
    })
    expect(after.sent).toEqual([
      ['account POST', '/api/v1.0/me/identities', { query: '?code=c', ticket: 'the ticket' }],
    ])
  })

  it('stays where the browser blocks storage, or the server refuses', async () => {
    const blocked = () => {
      throw new Error('blocked')
    }
    const tab = openTab([STARTED], blocked)
    expect([await tab.sso.start('/'), tab.left]).toEqual(['storage', []])
    for (const [answer, problem] of [
      [refused('identity_provider_unavailable'), 'provider'],
      [refused('rate_limited'), 'limited'],
      [refused('internal'), 'failing'],
      [{ is: 'unreachable' }, 'unreachable'],
    ] as const)
      expect(await openTab([answer]).sso.start('/')).toBe(problem)
  })

  it('returns to paths of ours only', async () => {
    for (const returnTo of ['https://evil.example/', '//evil.example', '/\\evil.example', 'x', 5]) {
      const storage = new FakeStorage()
      storage.setItem('sso', JSON.stringify({ ticket: 't', returnTo, purpose: 'sign-in' }))
      const { sso, sent } = openTab([], shared(storage))
      expect(await endOf(sso.complete('?code=c'))).toMatchObject({ problem: 'expired', returnTo: '/' })
      expect(sent).toEqual([])
    }
  })

  it('is offered if the server supports it, and a password otherwise', async () => {
    const methods = { password: false, password_reset: false, sso: true, sso_name: 'School' }
    const { sso, sent } = openTab([ok({ sign_in: methods })])
    await Promise.all([sso.load(), sso.load()])
    expect([sso.get(), sent.length]).toEqual([methods, 1])
    const failing = openTab([{ is: 'unreachable' }, ok({ sign_in: methods })]).sso
    await failing.load()
    expect(failing.get()).toMatchObject({ password: true, sso: false })
    await failing.load()
    expect(failing.get()).toEqual(methods)
  })
})

import { describe, expect, it } from 'vitest'
import type { ApiRequest, ApiResponse } from '../../api/api.ts'
import { OwnAccount } from './own-account.ts'
import { SignIns } from './sign-ins.ts'

type Sent = Pick<ApiRequest, 'method' | 'path' | 'body'>

/** An account whose requests are answered in turn. */
function createAccount(...answers: ApiResponse[]) {
  const sent: Sent[] = []
  const names: string[] = []
  const account = {
    request: async (request: Sent) => {
      sent.push(request)
      return answers.shift() ?? UNREACHABLE
    },
    setDisplayName: async (name: string) => void names.push(name),
  }
  return { account, sent, names }
}

const UNREACHABLE: ApiResponse = { is: 'unreachable' }
const ok = (body: unknown): ApiResponse => ({ is: 'ok', body })
const refused = (status: number, code: string, retryAfterMs: number | null = null): ApiResponse => ({
  is: 'refused',
  status,
  code,
  retryAfterMs,
})
const ANNA = { login: 'anna', display_name: 'Anna', has_password: true }
const PROFILE = {
  ...{ login: 'anna', displayName: 'Anna', hasPassword: true },
  ...{ email: null, missedCallMails: null },
}

describe('the own account', () => {
  it('loads, and can be loaded again after a failure', async () => {
    const own = new OwnAccount(createAccount(UNREACHABLE, ok({}), ok(ANNA)).account)
    expect(own.get()).toEqual({ is: 'loading' })
    await own.load()
    expect(own.get()).toEqual({ is: 'unknown' })
    await own.load()
    expect(own.get()).toEqual({ is: 'unknown' })
    await own.load()
    expect(own.get()).toEqual({ is: 'known', profile: PROFILE })
  })

  it('has the name that the server has stored, here and in the stored sign-in', async () => {
    const { account, sent, names } = createAccount(ok(ANNA), UNREACHABLE, ok({ ...ANNA, display_name: 'A.' }))
    const own = new OwnAccount(account)
    await own.load()
    expect(await own.rename('A.\u202e')).toBeNull()
    expect([own.get(), names]).toEqual([{ is: 'known', profile: PROFILE }, []])
    expect(await own.rename('A.\u202e')).toBe('A.')
    expect(own.get()).toEqual({ is: 'known', profile: { ...PROFILE, displayName: 'A.' } })
    expect(names).toEqual(['A.'])
    expect(sent.at(-1)).toEqual({ method: 'PATCH', path: '/api/v1.0/me', body: { display_name: 'A.\u202e' } })
  })

  it('shows what the server has stored of mails, whether a change worked or not', async () => {
    const on = { ...ANNA, email: 'anna@school.example', missed_call_mails: true }
    const { account, sent } = createAccount(ok({ ...on, missed_call_mails: false }), ok(on), UNREACHABLE)
    const own = new OwnAccount(account)
    await own.load()
    expect(await own.setMissedCallMails(true)).toBe(true)
    expect(sent.at(-1)?.body).toEqual({ missed_call_mails: true })
    expect(await own.setMissedCallMails(false)).toBe(false)
    const profile = { ...PROFILE, email: 'anna@school.example', missedCallMails: true }
    expect(own.get()).toEqual({ is: 'known', profile })
  })

  it.each([
    [ok({ result: 200 }), null],
    [refused(403, 'wrong_password'), { is: 'wrong' }],
    [refused(503, 'temporarily_unavailable', 2000), { is: 'busy' }],
    [refused(502, 'x'), { is: 'failing' }],
    [UNREACHABLE, { is: 'unanswered' }],
  ])('reports about a password: %j', async (answer, trouble) => {
    const { account, sent } = createAccount(answer)
    expect(await new OwnAccount(account).changePassword('old', 'new password')).toEqual(trouble)
    expect(sent).toEqual([
      { method: 'POST', path: '/api/v1.0/me/password', body: { current: 'old', new: 'new password' } },
    ])
  })

  it('reports when a password may be tried again', async () => {
    const { account } = createAccount(refused(429, 'rate_limited', 60_000))
    const trouble = await new OwnAccount(account).changePassword('old', 'new password')
    expect(trouble).toEqual({ is: 'limited', until: expect.any(Number) })
  })
})

const view = (id: string, is_current = false) => ({
  id,
  browser: 'Firefox',
  platform: null,
  created_at_ms: 1,
  used_at_ms: 2,
  is_current,
})
const LIST = { sign_ins: [view('b'), view('a', true), view('c')], total: 120 }

async function loaded(...answers: ApiResponse[]) {
  const { account, sent } = createAccount(ok(LIST), ...answers)
  const signIns = new SignIns(account)
  await signIns.load()
  const ids = () => {
    const state = signIns.get()
    return state.is === 'known' ? state.list.map(({ id }) => id) : state.is
  }
  return { signIns, sent, ids }
}

describe('the sign-ins', () => {
  it('begin with the current one', async () => {
    const { signIns, ids } = await loaded()
    expect(ids()).toEqual(['a', 'b', 'c'])
    expect(signIns.get()).toMatchObject({ is: 'known', total: 120, stale: false })
  })

  it('stay, marked as stale, when they cannot be refreshed', async () => {
    const { signIns, ids } = await loaded(UNREACHABLE, ok(LIST))
    await signIns.load()
    expect([ids(), signIns.get()]).toMatchObject([['a', 'b', 'c'], { stale: true }])
    await signIns.load()
    expect(signIns.get()).toMatchObject({ stale: false })
  })

  it('end, also those that had ended already', async () => {
    const { signIns, sent, ids } = await loaded(ok({}), refused(404, 'sign_in_not_found'), UNREACHABLE)
    expect(await signIns.end('b')).toBe(true)
    expect(sent.at(-1)).toEqual({ method: 'DELETE', path: '/api/v1.0/me/sign-ins/b' })
    expect(await signIns.end('c')).toBe(true)
    expect(ids()).toEqual(['a'])
    expect(signIns.get()).toMatchObject({ total: 118 })
    expect(await signIns.end('a')).toBe(false)
    expect(ids()).toEqual(['a'])
  })

  it('end all together, except the current one', async () => {
    const { signIns, ids } = await loaded(UNREACHABLE, ok({ ended: 119 }))
    expect(await signIns.endOthers()).toBe(false)
    expect(ids()).toEqual(['a', 'b', 'c'])
    expect(await signIns.endOthers()).toBe(true)
    expect([ids(), signIns.get()]).toMatchObject([['a'], { total: 1 }])
  })

  it('are not replaced by an answer from before a change', async () => {
    let answer: (response: ApiResponse) => void = () => {}
    const request = ({ method }: Sent) =>
      method === 'DELETE'
        ? Promise.resolve(ok({}))
        : new Promise<ApiResponse>(resolve => {
            answer = resolve
          })
    const signIns = new SignIns({ request })
    const first = signIns.load()
    answer(ok(LIST))
    await first
    const late = signIns.load()
    await signIns.end('b')
    answer(ok(LIST))
    await late
    expect(signIns.get()).toMatchObject({ list: [{ id: 'a' }, { id: 'c' }] })
  })

  it.each([null, {}, { sign_ins: 5, total: 1 }, { sign_ins: [], total: 'x' }])(
    'are unknown after the answer %j',
    async body => {
      const signIns = new SignIns(createAccount(ok(body)).account)
      await signIns.load()
      expect(signIns.get()).toEqual({ is: 'unknown' })
    },
  )
})

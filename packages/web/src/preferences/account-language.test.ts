import { Emitter, WritableObservable } from '@lectern/common'
import { beforeEach, describe, expect, it } from 'vitest'
import type { SignedInState } from '../account-connection/signed-in.ts'
import type { ApiRequest, ApiResponse } from '../api/api.ts'
import { StoredValue } from '../stored-value.ts'
import { makeStorage } from '../testing.ts'
import type { LanguageName } from '../texts/languages.ts'
import { AccountLanguage } from './account-language.ts'

const OFFLINE: ApiResponse = { is: 'unreachable' }
const connected = (userId: string) =>
  ({ is: 'connected', connection: { userId } }) as unknown as SignedInState

let storage: Storage
let requests: Pick<ApiRequest, 'method' | 'body'>[]
let respond: (request: Pick<ApiRequest, 'method' | 'body'>) => ApiResponse
/** The language that the server has stored. */
let stored: LanguageName | null

beforeEach(() => {
  storage = makeStorage()
  requests = []
  stored = null
  respond = ({ method, body }) => {
    if (method === 'PATCH') stored = body?.language as LanguageName
    return { is: 'ok', body: { language: stored } }
  }
})

/** A browser with its own storage, before or after a reload. */
function openBrowser(present: LanguageName = 'en', ownStorage = storage) {
  const chosen = new Emitter<LanguageName>()
  let name = present
  const language = {
    get: () => name,
    choose: async (next: LanguageName, { isOwnChoice = true } = {}) => {
      name = next
      if (isOwnChoice) chosen.emit(next)
    },
    onChosen: (listener: (name: LanguageName) => void) => chosen.on(listener),
  }
  const signedIn = new WritableObservable<SignedInState>({ is: 'none' })
  const account = {
    request: async (request: Omit<ApiRequest, 'token'>) => {
      const { method, body } = request
      requests.push({ method, ...(body && { body }) })
      return respond(request)
    },
  }
  const unsynced = new StoredValue('unsynced', () => ownStorage)
  new AccountLanguage({ language, account, signedIn, unsynced })
  return { language, signedIn, unsynced }
}
const settled = () => new Promise(resolve => setTimeout(resolve))

describe('the language of an account', () => {
  it('is the choice of another device, as soon as the account is connected', async () => {
    stored = 'ru'
    const { language, signedIn } = openBrowser()
    await settled()
    expect([language.get(), requests]).toEqual(['en', []])
    signedIn.set(connected('7'))
    await settled()
    expect(language.get()).toBe('ru')
    expect(requests).toEqual([{ method: 'GET' }])
  })

  it('is stored when the user chooses it', async () => {
    const { language, signedIn, unsynced } = openBrowser()
    signedIn.set(connected('7'))
    await settled()
    await language.choose('ru')
    await settled()
    expect(requests.at(-1)).toEqual({ method: 'PATCH', body: { language: 'ru' } })
    expect([stored, unsynced.get()]).toEqual(['ru', null])
  })

  it('is the last choice, also if that was made before the sign-in', async () => {
    stored = 'en'
    const { language, signedIn } = openBrowser()
    await language.choose('ru')
    signedIn.set(connected('7'))
    await settled()
    expect([stored, language.get()]).toEqual(['ru', 'ru'])
  })

  it('is sent again when the page is opened, until the server has it', async () => {
    respond = () => OFFLINE
    const { language, signedIn } = openBrowser()
    signedIn.set(connected('7'))
    await language.choose('ru')
    await settled()
    respond = ({ body }) => {
      stored = body?.language as LanguageName
      return { is: 'ok', body: {} }
    }
    const { signedIn: later, unsynced } = openBrowser('ru')
    later.set(connected('7'))
    await settled()
    expect([stored, unsynced.get()]).toEqual(['ru', null])
  })

  it('of one user does not become that of the next in the same browser', async () => {
    const { language, signedIn } = openBrowser()
    signedIn.set(connected('7'))
    await language.choose('ru')
    await settled()
    stored = 'en'
    signedIn.set({ is: 'none' })
    signedIn.set(connected('8'))
    await settled()
    expect([stored, language.get()]).toEqual(['en', 'en'])
  })

  it('is unset until it is chosen', async () => {
    const { language, signedIn } = openBrowser()
    signedIn.set(connected('7'))
    await settled()
    expect([stored, language.get()]).toEqual([null, 'en'])
    expect(requests).toEqual([{ method: 'GET' }])
  })

  it.each([{ language: 'xx' }, { language: 5 }, {}, null, 'text'])('ignores the answer %j', async body => {
    respond = () => ({ is: 'ok', body })
    const { language, signedIn } = openBrowser()
    signedIn.set(connected('7'))
    await settled()
    expect(language.get()).toBe('en')
  })

  it('is not kept for an account that cannot have one', async () => {
    respond = () => ({ is: 'refused', status: 403, code: 'permission_denied', retryAfterMs: null })
    const { language, signedIn, unsynced } = openBrowser()
    signedIn.set(connected('7'))
    await language.choose('ru')
    await settled()
    expect(unsynced.get()).toBeNull()
    expect(language.get()).toBe('ru')
  })
})

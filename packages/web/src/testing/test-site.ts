import { SignedIn } from '../account-connection/signed-in.ts'
import { RingSetting } from '../calls/ring-setting.ts'
import { SilencedCall } from '../calls/silenced-call.ts'
import { StartedCalls } from '../calls/started-calls.ts'
import { Account } from '../identity/account.ts'
import { ModuleLoader } from '../module-loader.ts'
import { Language } from '../preferences/language.ts'
import { Theme } from '../preferences/theme.ts'
import { CurrentRoom } from '../site/current-room.ts'
import type { Site } from '../site/site.ts'
import { SingleSignOn } from '../sso/single-sign-on.ts'
import { StoredValue } from '../stored-value.ts'
import type { LanguageName } from '../texts/languages.ts'
import { loadAdminTexts, loadHomeTexts, loadRoomPartsTexts } from '../texts/texts.ts'
import { FakeApi } from './fake-api.ts'

export interface TestSite extends Site {
  api: FakeApi
  /** The paths that were opened, oldest first. */
  visited: string[]
}

/** A site on a fake server. The code of other pages loads as it does in the product. */
export async function createTestSite(
  language: LanguageName = 'en',
  parts: Partial<TestSite> = {},
): Promise<TestSite> {
  const api = parts.api ?? new FakeApi()
  const stored = (name: string) => new StoredValue(`lectern.${name}`, () => localStorage)
  const account = new Account({
    api,
    storage: stored('account'),
    runExclusive: async work => work(),
  })
  const visited: string[] = []
  const go = (path: string) => void visited.push(path)
  const texts = await Language.open(stored('language'), [language === 'en' ? 'en-GB' : language])
  const loading = { isServerReachable: async () => true, canReload: () => false, reload: () => {} }
  const roomParts = new ModuleLoader({ ...loading, load: () => import('../room/parts-module.ts') })
  // At once, the texts of all pages in one language: tests do not wait for them.
  await Promise.all([
    loadHomeTexts(texts.texts),
    loadRoomPartsTexts(texts.texts),
    loadAdminTexts(texts.texts),
    roomParts.preload(),
  ])
  return {
    account,
    api,
    sso: new SingleSignOn({ api, account, storage: stored('sso'), location }),
    signedIn: new SignedIn({ account, load: () => import('../account-connection/connection-module.ts') }),
    home: new ModuleLoader({ ...loading, load: () => import('../home/home-module.ts') }),
    invite: new ModuleLoader({ ...loading, load: () => import('../invite/invite-module.ts') }),
    admin: new ModuleLoader({ ...loading, load: () => import('../admin/admin-module.ts') }),
    integrations: new ModuleLoader({
      ...loading,
      load: () => import('../integrations/integrations-module.ts'),
    }),
    roomParts,
    prejoinSettings: new ModuleLoader({ ...loading, load: () => import('../prejoin/SettingsDialog.tsx') }),
    theme: new Theme(stored('theme'), document.documentElement),
    language: texts,
    go,
    replace: go,
    enterRoom: ({ tag }) => go(`/conferences/${tag}`),
    room: new CurrentRoom(),
    startedCalls: new StartedCalls(stored('started-calls')),
    ringSetting: new RingSetting(stored('ring')),
    silencedCall: new SilencedCall(stored('silenced-call')),
    visited,
    ...parts,
  }
}

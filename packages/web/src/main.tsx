import './ui/tokens.css'
import './ui/base.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './App.tsx'
import { SignedIn } from './account-connection/signed-in.ts'
import type { Address } from './address.ts'
import { Api } from './api/api.ts'
import { RingSetting } from './calls/ring-setting.ts'
import { SilencedCall } from './calls/silenced-call.ts'
import { StartedCalls } from './calls/started-calls.ts'
import { browserBackground } from './devices/background/browser-effect.ts'
import { browserDevices } from './devices/browser-port.ts'
import { Devices } from './devices/devices.ts'
import { meterTrack } from './devices/meter-track.ts'
import { Rnnoise } from './devices/rnnoise.ts'
import { Account } from './identity/account.ts'
import { AccountIdentity } from './identity/account-identity.ts'
import { GuestIdentity } from './identity/guest-identity.ts'
import { LinkIdentity } from './identity/link-identity.ts'
import { createRunExclusive } from './identity/run-exclusive.ts'
import { Link, type LinkState } from './link/link.ts'
import { refreshPeriodically } from './link/refresh-link.ts'
import { resolveConference, resolveLink } from './link/resolve.ts'
import { applyAccent } from './link/room-look.ts'
import { ModuleLoader, untilShown } from './module-loader.ts'
import { AccountLanguage } from './preferences/account-language.ts'
import { Language } from './preferences/language.ts'
import { Theme } from './preferences/theme.ts'
import type { RejoinState } from './rejoin-state.ts'
import type { EnterOptions } from './room/enter-room.ts'
import { RoomTab } from './room-tab.ts'
import { CurrentRoom } from './site/current-room.ts'
import { type Route, Router } from './site/router.ts'
import { SingleSignOn } from './sso/single-sign-on.ts'
import { StoredValue } from './stored-value.ts'
import { loadAdminTexts, loadHomeTexts, loadRoomPartsTexts, loadRoomTexts } from './texts/texts.ts'
import { Visit } from './visit.ts'

const api = new Api()
const inTab = (name: string) => new StoredValue(`lectern.${name}`, () => sessionStorage)
const inProfile = (name: string) => new StoredValue(`lectern.${name}`, () => localStorage)
// The token of a signed link is stored in this tab's session storage only (rule LINK-2).
const linkToken = inTab('link-token')
const rejoinState = inTab('stay')
const currentRoom = new CurrentRoom()
const typedName = inProfile('name')
const roomPreferences = {
  layout: inProfile('layout'),
  partnerLayout: inProfile('partner-layout'),
  ownView: inProfile('own-view'),
  captions: inProfile('captions'),
  transcriptionLanguage: inProfile('transcription-language'),
  alerts: {
    join: inProfile('alert-join'),
    hand: inProfile('alert-hand'),
    message: inProfile('alert-message'),
    title: inProfile('alert-title'),
  },
  messageBubble: inProfile('message-bubble'),
  pushToTalk: inProfile('push-to-talk'),
  shortcutKeys: inProfile('shortcut-keys'),
  volumes: inTab('volumes'),
  board: { tools: inProfile('board-tools'), history: (page: string) => inTab(`board.${page}`) },
}
const theme = new Theme(inProfile('theme'), document.documentElement)

const loading = {
  isServerReachable: async () => (await api.get('/api/v1.0/server_info')).is === 'ok',
  canReload: () => performance.getEntriesByType('navigation').every(entry => !isReload(entry)),
  reload: () => location.reload(),
}
/** Opened at once, and awaited by what shows texts. */
const openingLanguage = Language.open(inProfile('language'), navigator.languages)
async function loadRoom() {
  const { enterRoom, RoomPage, PreparedConnection } = await import('./room/room-module.ts')
  return { enterRoom, RoomPage, PreparedConnection }
}
/** Nothing that only the room needs delays the prejoin screen. */
let prejoinIsShown: Promise<void> | null = null
const roomModule = new ModuleLoader({
  ...loading,
  load: async () => {
    const [code] = await Promise.all([loadRoom(), openingLanguage.then(({ texts }) => loadRoomTexts(texts))])
    return code
  },
})
const homeModule = new ModuleLoader({ ...loading, load: () => import('./home/home-module.ts') })
const roomParts = new ModuleLoader({
  ...loading,
  load: async () => {
    const texts = openingLanguage.then(({ texts }) => loadRoomPartsTexts(texts))
    const [code] = await Promise.all([import('./room/parts-module.ts'), texts])
    return code
  },
})
const prejoinSettings = new ModuleLoader({
  ...loading,
  load: () => import('./prejoin/SettingsDialog.tsx'),
})
const isReload = (entry: PerformanceEntry) => (entry as PerformanceNavigationTiming).type === 'reload'
async function loadInvite() {
  const { InvitePage } = await import('./invite/invite-module.ts')
  return { InvitePage }
}
const inviteModule = (language: Language) =>
  new ModuleLoader({
    ...loading,
    load: async () => {
      const [code] = await Promise.all([loadInvite(), loadHomeTexts(language.texts)])
      return code
    },
  })
async function loadConnection() {
  const { openAccountConnection, AccountLayer, InviteToRoom } = await import(
    './account-connection/connection-module.ts'
  )
  return { openAccountConnection, AccountLayer, InviteToRoom }
}

/** The storage of a sign-in that all tabs of this browser share. */
const signInStorage = (name: string) => ({
  api,
  storage: inProfile(name),
  runExclusive: createRunExclusive(`lectern.${name}`, navigator.locks),
})
const guest = signInStorage('guest')
const account = new Account(signInStorage('account'))
const ringSetting = new RingSetting(inProfile('ring'))
const silencedCall = new SilencedCall(inProfile('silenced-call'))
window.addEventListener('storage', () => {
  account.syncFromStorage()
  ringSetting.syncFromStorage()
  silencedCall.syncFromStorage()
})
const sso = new SingleSignOn({ api, account, storage: inTab('sso'), location })

function open(address: Address): Route {
  if (address.is !== 'link') linkToken.remove()
  switch (address.is) {
    case 'link':
      linkToken.set(address.token)
      return visitTo(new Link(() => resolveLink(api, linkToken.get() ?? '')), true)
    case 'sso-return': {
      // The address held a code, which belongs neither into the history nor on the screen.
      const { search } = location
      history.replaceState(null, '', location.pathname)
      return { is: 'sso-return', completion: sso.complete(search) }
    }
    case 'conference':
      return visitTo(new Link(() => resolveConference(api, address.tag)), false)
    default:
      return address
  }
}

/** Messages that users read in the chat of a meeting are read in their conversations, too. */
function accountOptions({ identity, invitation }: EnterOptions) {
  if (!(identity instanceof AccountIdentity)) return {}
  const { isPartnerRoom, isCall, tag } = invitation
  const hasConversation = !isPartnerRoom && !isCall
  return { userId: identity.userId, ...(hasConversation && { conversation: `conference:${tag}` }) }
}

/** The room of a partner that has set how its page looks. */
function showLook(state: LinkState): void {
  if (state.is !== 'open') return
  const { accent, language } = state.invitation.look
  if (accent !== null) applyAccent(document.documentElement, accent)
  if (language !== null) void openingLanguage.then(({ suggest }) => suggest(language))
}

function visitTo(link: Link, isPersonal: boolean): Route {
  const visit = new Visit({
    link,
    account,
    name: typedName,
    rejoinState,
    tab: new RoomTab(navigator.locks),
    currentRoom,
    devices: new Devices(browserDevices, meterTrack, () => localStorage, new Rnnoise(), browserBackground),
    identify: (invited, user) => {
      if (invited?.personal) return new LinkIdentity(api, linkToken.get() ?? '')
      return user ? new AccountIdentity(account, user.userId) : new GuestIdentity(guest)
    },
    loadRoom: async signal => {
      const { enterRoom, RoomPage } = await roomModule.load(signal)
      const enter = (entering: EnterOptions) =>
        enterRoom({
          ...entering,
          ...accountOptions(entering),
          joinToken: linkToken.get(),
          preferences: roomPreferences,
        })
      return { enter, RoomPage }
    },
    prepare: async ({ tag }, identity, signal) => {
      prejoinIsShown ??= untilShown()
      await prejoinIsShown
      const code = await roomModule.preload()
      if (!code || signal.aborted) return null
      const joinToken = linkToken.get()
      const { accessToken } = identity ?? {}
      const connection = accessToken && { tag, accessToken, ...(joinToken !== null && { joinToken }) }
      return new code.PreparedConnection(connection ?? null)
    },
  })
  const stopRefreshing = refreshPeriodically(link)
  link.subscribe(() => showLook(link.get()))
  void link.open() // while the texts load
  const close = () => {
    visit.close()
    stopRefreshing()
  }
  return { is: 'visit', path: location.pathname, visit, isPersonal, close }
}

async function start() {
  const root = document.getElementById('root')
  if (!root) throw new Error('index.html has no #root')
  const route = new Router(window, open)
  // Before the room's own listener, which releases everything.
  window.addEventListener('pagehide', () => {
    const here = route.get()
    if (here.is === 'visit') here.visit.handlePageHide()
  })
  // From the back/forward cache: it has left its room when it was hidden, and is to be as after any other way to its address.
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted && route.get().is === 'visit') location.reload()
  })
  const language = await openingLanguage
  const connectionModule = new ModuleLoader({
    ...loading,
    load: async () => {
      const [code] = await Promise.all([loadConnection(), loadHomeTexts(language.texts)])
      return code
    },
  })
  const adminModule = new ModuleLoader({
    ...loading,
    load: async () => {
      await loadAdminTexts(language.texts)
      const { AdminPages } = await import('./admin/admin-module.ts')
      return { AdminPages }
    },
  })
  const integrationsModule = new ModuleLoader({
    ...loading,
    load: async () => {
      await loadAdminTexts(language.texts)
      const { IntegrationPages } = await import('./integrations/integrations-module.ts')
      return { IntegrationPages }
    },
  })
  const embeddingModule = new ModuleLoader({
    ...loading,
    canReload: () => false,
    load: () => import('./embedding/embedding-module.tsx'),
  })
  const signedIn = new SignedIn({ account, load: signal => connectionModule.load(signal) })
  const showAccount = () => {
    const here = route.get()
    if (here.is === 'home' && account.get().is === 'in') homeModule.preload()
    signedIn.setWanted(here.is !== 'visit' || !here.isPersonal)
  }
  route.subscribe(showAccount)
  showAccount()
  const unsynced = inProfile('language-unsynced')
  new AccountLanguage({ language, account, signedIn, unsynced })
  const site = {
    account,
    api,
    sso,
    signedIn,
    home: homeModule,
    invite: inviteModule(language),
    admin: adminModule,
    integrations: integrationsModule,
    prejoinSettings,
    roomParts,
    theme,
    language,
    go: route.go,
    replace: route.replace,
    enterRoom: (as: RejoinState) => {
      const path = `/conferences/${as.tag}`
      // The page of the conference may be open already, before the prejoin screen's button.
      if (path === location.pathname) route.replace(path)
      else route.go(path)
      // After the page before has left its own conference, and before the new one has loaded its link.
      rejoinState.set(JSON.stringify(as))
    },
    room: currentRoom,
    startedCalls: new StartedCalls(inTab('started-calls'), navigator.locks),
    ringSetting,
    silencedCall,
  }
  if (window.parent !== window)
    void embeddingModule.load(new AbortController().signal).then(
      ({ connectToHost }) => connectToHost({ api, route, theme, language }),
      () => {}, // the room works without
    )
  createRoot(root).render(
    <StrictMode>
      <App site={site} route={route} />
    </StrictMode>,
  )
}

void start()

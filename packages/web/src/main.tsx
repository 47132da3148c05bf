import './ui/tokens.css'
import './ui/base.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './App.tsx'
import type { Address } from './address.ts'
import { Api } from './api/api.ts'
import { browserDevices } from './devices/browser-port.ts'
import { Devices } from './devices/devices.ts'
import { listenToTrack } from './devices/listen.ts'
import { Account } from './identity/account.ts'
import { makeExclusively } from './identity/exclusively.ts'
import { Guest } from './identity/guest.ts'
import { Member } from './identity/member.ts'
import { Person } from './identity/person.ts'
import { Kept } from './kept.ts'
import { keepFresh } from './link/keep-fresh.ts'
import { Link } from './link/link.ts'
import { resolveConference, resolveLink } from './link/resolve.ts'
import { ModuleLoader } from './module-loader.ts'
import { Language } from './preferences/language.ts'
import { Theme } from './preferences/theme.ts'
import type { Entering } from './room/enter.ts'
import { type Here, Route } from './site/route.ts'
import { Visit } from './visit.ts'

const api = new Api()
const inTab = (name: string) => new Kept(`lectern.${name}`, () => sessionStorage)
const inProfile = (name: string) => new Kept(`lectern.${name}`, () => localStorage)
// A signed link's token lives in this tab's session storage and nowhere else (rule LINK-2).
const linkToken = inTab('link-token')
const stay = inTab('stay')
const typedName = inProfile('name')
const seen = { layout: inProfile('layout'), captions: inProfile('captions') }
const theme = new Theme(inProfile('theme'), document.documentElement)

const roomModule = new ModuleLoader({
  load: () => import('./room/room-module.ts'),
  isServerReachable: async () => (await api.get(location.pathname)).is === 'ok',
  canReload: () => performance.getEntriesByType('navigation').every(entry => !isReload(entry)),
  reload: () => location.reload(),
})
const isReload = (entry: PerformanceEntry) => (entry as PerformanceNavigationTiming).type === 'reload'

/** A sign-in that the tabs of this browser share. */
const signInOf = (name: string) => ({
  api,
  kept: inProfile(name),
  exclusively: makeExclusively(`lectern.${name}`, navigator.locks),
})
const guest = signInOf('guest')
const account = new Account(signInOf('account'))
window.addEventListener('storage', account.look)

function open(address: Address): Here {
  if (address.is !== 'link') linkToken.forget()
  switch (address.is) {
    case 'link':
      linkToken.set(address.token)
      return visitTo(new Link(() => resolveLink(api, linkToken.get() ?? '')))
    case 'conference':
      return visitTo(new Link(() => resolveConference(api, address.tag)))
    default:
      return address
  }
}

function visitTo(link: Link): Here {
  const visit = new Visit({
    link,
    account,
    name: typedName,
    stay,
    devices: new Devices(browserDevices, listenToTrack, () => localStorage),
    identify: (invited, user) => {
      if (invited?.personal) return new Person(api, linkToken.get() ?? '')
      return user ? new Member(account, user.userId) : new Guest(guest)
    },
    loadRoom: async signal => {
      const { enterRoom, RoomPage } = await roomModule.load(signal)
      const enter = (entering: Entering) => enterRoom({ ...entering, joinToken: linkToken.get(), kept: seen })
      return { enter, RoomPage }
    },
  })
  // The room's code loads while the visitor looks at the prejoin screen, so joining does not wait for it.
  const stopWaiting = link.subscribe(() => link.get().is === 'open' && roomModule.preload())
  const keepNoMore = keepFresh(link)
  void link.open() // while the texts load
  const close = () => {
    visit.close()
    stopWaiting()
    keepNoMore()
  }
  return { is: 'visit', path: location.pathname, visit, close }
}

async function start() {
  const root = document.getElementById('root')
  if (!root) throw new Error('index.html has no #root')
  const route = new Route(window, open)
  // Before a room hears of it, which gives everything back.
  window.addEventListener('pagehide', () => {
    const here = route.get()
    if (here.is === 'visit') here.visit.pageGoes()
  })
  const language = await Language.open(inProfile('language'), navigator.languages)
  const site = { account, theme, language, go: route.go }
  createRoot(root).render(
    <StrictMode>
      <App site={site} route={route} />
    </StrictMode>,
  )
}

void start()

import './ui/tokens.css'
import './ui/base.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './App.tsx'
import { type Address, readAddress } from './address.ts'
import { Api } from './api/api.ts'
import { browserDevices } from './devices/browser-port.ts'
import { Devices } from './devices/devices.ts'
import { listenToTrack } from './devices/listen.ts'
import { makeExclusively } from './identity/exclusively.ts'
import { Guest } from './identity/guest.ts'
import { Person } from './identity/person.ts'
import { Kept } from './kept.ts'
import { keepFresh } from './link/keep-fresh.ts'
import { Link } from './link/link.ts'
import { resolveConference, resolveLink } from './link/resolve.ts'
import { enterRoom } from './room/enter.ts'
import { openTexts } from './texts/texts.ts'
import { Visit } from './visit.ts'

const api = new Api()
// A signed link's token lives in this tab's session storage and nowhere else (contract §2.2 rule 2).
const linkToken = new Kept('lectern.link-token', () => sessionStorage)
const typedName = new Kept('lectern.name', () => localStorage)
const stay = new Kept('lectern.stay', () => sessionStorage)
const savedGuest = new Kept('lectern.guest', () => localStorage)

function linkAt(address: Address): Link | null {
  if (address.is === 'link') {
    linkToken.set(address.token)
    return new Link(() => resolveLink(api, linkToken.get() ?? ''))
  }
  linkToken.forget()
  return address.is === 'conference' ? new Link(() => resolveConference(api, address.tag)) : null
}

function visitTo(link: Link): Visit {
  const exclusively = makeExclusively('lectern.guest', navigator.locks)
  return new Visit({
    link,
    name: typedName,
    stay,
    devices: new Devices(browserDevices, listenToTrack, () => localStorage),
    identify: guest =>
      guest?.personal
        ? new Person(api, linkToken.get() ?? '')
        : new Guest({ api, kept: savedGuest, exclusively }),
    enter: entering => enterRoom(entering, linkToken.get()),
  })
}

async function start() {
  const root = document.getElementById('root')
  if (!root) throw new Error('index.html has no #root')
  const link = linkAt(readAddress(location.pathname))
  const visit = link && visitTo(link)
  // Before the room hears of it, which gives everything back.
  if (visit) window.addEventListener('pagehide', visit.pageGoes)
  if (link) {
    void link.open() // while the texts load
    keepFresh(link)
  }
  const texts = await openTexts(navigator.languages)
  document.documentElement.lang = texts.language
  createRoot(root).render(
    <StrictMode>
      <App visit={visit} texts={texts} />
    </StrictMode>,
  )
}

void start()

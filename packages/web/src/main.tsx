import './ui/tokens.css'
import './ui/base.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './App.tsx'
import { type Address, readAddress } from './address.ts'
import { Api } from './api/api.ts'
import { keepFresh } from './link/keep-fresh.ts'
import { Link } from './link/link.ts'
import { resolveConference, resolveLink } from './link/resolve.ts'
import { TokenStore } from './link/token-store.ts'
import { openTexts } from './texts/texts.ts'

const api = new Api()
const tokens = new TokenStore(() => sessionStorage)

function linkAt(address: Address): Link | null {
  if (address.is === 'link') {
    tokens.set(address.token)
    return new Link(() => resolveLink(api, tokens.get() ?? ''))
  }
  tokens.forget()
  return address.is === 'conference' ? new Link(() => resolveConference(api, address.tag)) : null
}

async function start() {
  const root = document.getElementById('root')
  if (!root) throw new Error('index.html has no #root')
  const link = linkAt(readAddress(location.pathname))
  if (link) {
    void link.open() // while the texts load
    keepFresh(link)
  }
  const texts = await openTexts(navigator.languages)
  document.documentElement.lang = texts.language
  createRoot(root).render(
    <StrictMode>
      <App link={link} texts={texts} />
    </StrictMode>,
  )
}

void start()

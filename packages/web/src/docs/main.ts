import '../ui/tokens.css'
import '../ui/base.css'
import './docs.css'
import './search.css'
import { showOwnAddress } from './own-address.ts'
import { openSearch } from './search.ts'
import { openTheme } from './theme.ts'

openTheme()

/** The list of pages is open where it is a column beside the text. */
const wide = matchMedia('(min-width: 60rem)')

function start() {
  const nav = document.getElementById('nav') as HTMLDetailsElement
  const adapt = () => {
    nav.open = wide.matches
  }
  adapt()
  wide.addEventListener('change', adapt)
  openSearch()
  if (/^\/docs\/(clients|embedding)$/.test(location.pathname)) showOwnAddress(document, location.origin)
  const reference = document.getElementById('reference')
  if (reference)
    void import('./reference/show-reference.tsx').then(({ showReference }) => showReference(reference))
}

start()

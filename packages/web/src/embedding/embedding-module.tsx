import { Lifetime } from '@lectern/common'
import { createRoot } from 'react-dom/client'
import { I18nextProvider } from 'react-i18next'
import type { Api } from '../api/api.ts'
import type { Language } from '../preferences/language.ts'
import type { Theme } from '../preferences/theme.ts'
import type { Router } from '../site/router.ts'
import { ConsentDialog } from './ConsentDialog.tsx'
import { Consent } from './consent.ts'
import { fetchFrameAncestors, isFrameAncestor } from './frame-ancestors.ts'
import { HostChannel } from './host-channel.ts'
import { HostCommands } from './host-commands.ts'
import { eventsBetween, RoomStatusObserver } from './room-status.ts'

interface Options {
  api: Api
  route: Router
  theme: Theme
  language: Language
}

/**
 * Connects this page with the page that embeds it (docs/embedding.md). Before the list of permitted pages is known, nothing
 * is sent or received.
 */
export async function connectToHost({ api, route, theme, language }: Options): Promise<void> {
  const sources = await fetchFrameAncestors(api)
  const lifetime = new Lifetime() // as long as the page
  const consent = new Consent()
  const status = new RoomStatusObserver(route)
  const { execute } = new HostCommands({ route, theme, language, consent })
  const channel = new HostChannel(
    {
      host: window.parent,
      frame: window,
      isAllowed: origin => isFrameAncestor(origin, sources, location.origin),
      onConnect: () => eventsBetween({ is: 'outside' }, status.get()),
      execute,
    },
    lifetime,
  )
  let before = status.get()
  status.subscribe(() => {
    const after = status.get()
    for (const event of eventsBetween(before, after)) channel.send(event)
    before = after
    if (after.is !== 'joined') consent.decline()
  })
  const root = document.body.appendChild(document.createElement('div'))
  createRoot(root).render(
    <I18nextProvider i18n={language.texts}>
      <ConsentDialog consent={consent} />
    </I18nextProvider>,
  )
}

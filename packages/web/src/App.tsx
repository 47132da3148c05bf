import { I18nextProvider } from 'react-i18next'
import { LinkPage } from './link/LinkPage.tsx'
import { NotFoundPage } from './not-found/NotFoundPage.tsx'
import { PrejoinCard } from './prejoin/PrejoinCard.tsx'
import { JoiningPage } from './room/JoiningPage.tsx'
import { RoomFailedPage } from './room/RoomFailedPage.tsx'
import type { Router } from './site/router.ts'
import type { Site } from './site/site.ts'
import { SiteContext } from './site/use-site.ts'
import { StartPage } from './start/StartPage.tsx'
import { useValue } from './use-value.ts'
import type { Visit } from './visit.ts'

export function App({ site, route }: { site: Site; route: Router }) {
  return (
    <I18nextProvider i18n={site.language.texts}>
      <SiteContext value={site}>
        <CurrentPage route={route} />
      </SiteContext>
    </I18nextProvider>
  )
}

function CurrentPage({ route }: { route: Router }) {
  const here = useValue(route)
  switch (here.is) {
    case 'start':
      return <StartPage />
    case 'visit':
      return <VisitPage key={here.path} visit={here.visit} />
    case 'not-found':
      return <NotFoundPage />
  }
}

function VisitPage({ visit }: { visit: Visit }) {
  const state = useValue(visit)
  switch (state.is) {
    case 'loading':
      return <JoiningPage onBack={visit.leave} />
    case 'failed':
      return <RoomFailedPage />
    case 'room':
      return <state.RoomPage room={state.room} onBack={visit.leave} />
    case 'prejoin':
      return <PrejoinPage visit={visit} />
  }
}

function PrejoinPage({ visit }: { visit: Visit }) {
  useValue(visit.account) // the offered name depends on it
  return (
    <LinkPage
      link={visit.link}
      open={invitation => (
        <PrejoinCard
          invitation={invitation}
          name={visit.nameFor(invitation)}
          account={visit.account}
          devices={visit.devices}
          onJoin={name => visit.join(invitation, name)}
        />
      )}
    />
  )
}

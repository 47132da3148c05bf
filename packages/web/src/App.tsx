import { I18nextProvider } from 'react-i18next'
import { LinkPage } from './link/LinkPage.tsx'
import { NowherePage } from './nowhere/NowherePage.tsx'
import { PrejoinCard } from './prejoin/PrejoinCard.tsx'
import { RoomPage } from './room/RoomPage.tsx'
import type { Route } from './site/route.ts'
import type { Site } from './site/site.ts'
import { SiteContext } from './site/use-site.ts'
import { StartPage } from './start/StartPage.tsx'
import { useValue } from './use-value.ts'
import type { Visit } from './visit.ts'

export function App({ site, route }: { site: Site; route: Route }) {
  return (
    <I18nextProvider i18n={site.language.texts}>
      <SiteContext value={site}>
        <HerePage route={route} />
      </SiteContext>
    </I18nextProvider>
  )
}

function HerePage({ route }: { route: Route }) {
  const here = useValue(route)
  switch (here.is) {
    case 'start':
      return <StartPage />
    case 'visit':
      return <VisitPage key={here.path} visit={here.visit} />
    case 'nowhere':
      return <NowherePage />
  }
}

function VisitPage({ visit }: { visit: Visit }) {
  const state = useValue(visit)
  useValue(visit.account) // decides on the name to offer
  if (state.is === 'inside') return <RoomPage room={state.room} onBack={visit.leave} />
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

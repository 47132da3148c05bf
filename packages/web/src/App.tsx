import type { i18n } from 'i18next'
import { I18nextProvider } from 'react-i18next'
import { LinkPage } from './link/LinkPage.tsx'
import { NowherePage } from './nowhere/NowherePage.tsx'
import { PrejoinCard } from './prejoin/PrejoinCard.tsx'
import { JoiningPage } from './room/JoiningPage.tsx'
import { RoomPage } from './room/RoomPage.tsx'
import { useValue } from './use-value.ts'
import type { Visit } from './visit.ts'

interface Props {
  /** Null where the address names no link. */
  visit: Visit | null
  texts: i18n
}

export function App({ visit, texts }: Props) {
  return (
    <I18nextProvider i18n={texts}>{visit ? <VisitPage visit={visit} /> : <NowherePage />}</I18nextProvider>
  )
}

function VisitPage({ visit }: { visit: Visit }) {
  const state = useValue(visit)
  if (state.is === 'inside') return <RoomPage room={state.room} onBack={visit.leave} />
  if (state.is === 'returning') return <JoiningPage link={{ is: 'connected' }} onBack={visit.leave} />
  return (
    <LinkPage
      link={visit.link}
      open={invitation => (
        <PrejoinCard
          invitation={invitation}
          name={visit.nameFor(invitation)}
          devices={visit.devices}
          onJoin={entry => visit.join(invitation, entry)}
        />
      )}
    />
  )
}

import { I18nextProvider } from 'react-i18next'
import { ConnectionContext } from './account-connection/use-connection.ts'
import { type HomeAddress, homePath } from './address.ts'
import { LinkPage } from './link/LinkPage.tsx'
import { NotFoundPage } from './not-found/NotFoundPage.tsx'
import { PrejoinCard } from './prejoin/PrejoinCard.tsx'
import { JoiningPage } from './room/JoiningPage.tsx'
import { RoomFailedPage } from './room/RoomFailedPage.tsx'
import { Loaded } from './site/Loaded.tsx'
import { LoadingFailedPage, LoadingPage } from './site/LoadingPage.tsx'
import type { Router } from './site/router.ts'
import type { Site } from './site/site.ts'
import { SiteContext, useSite } from './site/use-site.ts'
import { SsoReturnPage } from './sso/SsoReturnPage.tsx'
import { StartPage } from './start/StartPage.tsx'
import { useValue } from './use-value.ts'
import type { Visit } from './visit.ts'

export function App({ site, route }: { site: Site; route: Router }) {
  const signedIn = useValue(site.signedIn)
  return (
    <I18nextProvider i18n={site.language.texts}>
      <SiteContext value={site}>
        <ConnectionContext value={signedIn.is === 'connected' ? signedIn.connection : null}>
          <CurrentPage route={route} />
          {signedIn.is === 'connected' && <signedIn.AccountLayer />}
        </ConnectionContext>
      </SiteContext>
    </I18nextProvider>
  )
}

function CurrentPage({ route }: { route: Router }) {
  const here = useValue(route)
  switch (here.is) {
    case 'home':
      return <HomePage address={here} />
    case 'visit':
      return <VisitPage key={here.path} visit={here.visit} isPersonal={here.isPersonal} />
    case 'invite':
      return <InvitationPage key={here.token} token={here.token} />
    case 'sso-return':
      return <SsoReturnPage completion={here.completion} />
    case 'not-found':
      return <NotFoundPage />
  }
}

function InvitationPage({ token }: { token: string }) {
  const { invite } = useSite()
  return <Loaded code={invite} render={({ InvitePage }) => <InvitePage token={token} />} />
}

/** Without an account, all pages of signed-in users offer to sign in, and continue after that. */
function HomePage({ address }: { address: HomeAddress }) {
  const { signedIn, account } = useSite()
  const state = useValue(signedIn)
  if (useValue(account).is === 'out')
    return <StartPage needsSignIn={homePath(address.page, ...address.parts) !== '/'} />
  if (state.is === 'failed') return <LoadingFailedPage />
  return state.is === 'connected' ? (
    <SignedInPage key={state.connection.userId} address={address} />
  ) : (
    <LoadingPage />
  )
}

function SignedInPage({ address }: { address: HomeAddress }) {
  const { home } = useSite()
  return <Loaded code={home} render={({ HomePages }) => <HomePages address={address} />} />
}

interface VisitProps {
  visit: Visit
  isPersonal: boolean
}

function VisitPage({ visit, isPersonal }: VisitProps) {
  const state = useValue(visit)
  switch (state.is) {
    case 'loading':
      return <JoiningPage onBack={visit.leave} />
    case 'failed':
      return <RoomFailedPage onBack={visit.leave} />
    case 'room':
      return <state.RoomPage room={state.room} onBack={visit.leave} onRejoin={visit.rejoin} />
    case 'prejoin':
      return <PrejoinPage visit={visit} isPersonal={isPersonal} isElsewhere={state.isElsewhere ?? false} />
  }
}

function PrejoinPage({ visit, isPersonal, isElsewhere }: VisitProps & { isElsewhere: boolean }) {
  useValue(visit.account) // the offered name depends on it
  return (
    <LinkPage
      link={visit.link}
      isPersonal={isPersonal}
      open={invitation => (
        <PrejoinCard
          invitation={invitation}
          isElsewhere={isElsewhere}
          name={visit.nameFor(invitation)}
          account={visit.account}
          devices={visit.devices}
          onJoin={name => visit.join(invitation, name)}
          onApproach={() => visit.anticipateJoin(invitation)}
        />
      )}
    />
  )
}

import type { ReactNode } from 'react'
import { MainMenu } from '../site/MainMenu.tsx'
import { useTexts } from '../texts/use-texts.ts'
import { Page } from '../ui/Page.tsx'
import { useValue } from '../use-value.ts'
import type { Invitation } from './invitation.ts'
import type { Link, LinkState } from './link.ts'
import { OpeningCard } from './OpeningCard.tsx'
import { ProblemMessage } from './ProblemMessage.tsx'
import { RefusedMessage } from './RefusedMessage.tsx'

interface Props {
  link: Link
  /** A signed link: its holder may not know any other page. */
  isPersonal: boolean
  /** Renders the invitation. */
  open: (invitation: Invitation) => ReactNode
}

/** The page of a link: its invitation, or why it cannot be opened. */
export function LinkPage({ link, isPersonal, open }: Props) {
  const { t } = useTexts()
  const state = useValue(link)
  const title = useTitle(state)
  const live = state.is === 'open' && state.invitation.live
  const hasMenu = state.is === 'open' ? state.invitation.features.mainNavigation : !isPersonal
  return (
    <Page
      title={title}
      status={live ? `${title}. ${t('status.live')}` : title}
      // Before it is known what is there, too: most links open, and nothing moves then.
      fills={state.is === 'open' || state.is === 'opening'}
      brand={state.is === 'open' ? state.invitation.look.brand : null}
      corner={hasMenu && state.is !== 'opening' && <MainMenu />}
    >
      <Content state={state} link={link} isPersonal={isPersonal} open={open} />
    </Page>
  )
}

function Content({ state, link, isPersonal, open }: Props & { state: LinkState }) {
  switch (state.is) {
    case 'opening':
      return <OpeningCard />
    case 'open':
      return open(state.invitation)
    case 'refused':
      return <RefusedMessage refusal={state} isPersonal={isPersonal} />
    case 'waiting':
      return <ProblemMessage problem={state.problem} until={state.until} onRetry={link.retry} />
    case 'retrying':
      return <ProblemMessage problem={state.problem} until={null} onRetry={link.retry} />
  }
}

function useTitle(state: LinkState): string {
  const { t } = useTexts()
  switch (state.is) {
    case 'opening':
      return t('link.opening')
    case 'open':
      return state.invitation.title.trim() || t('invitation.untitled')
    case 'refused':
      return t(`refused.${state.reason}.title`)
    case 'waiting':
    case 'retrying':
      return t(`problem.${state.problem}.title`)
  }
}

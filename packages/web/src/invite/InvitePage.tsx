import { CircleSlash, CloudOff, Hourglass } from 'lucide-react'
import { useEffect, useState } from 'react'
import { MainMenu } from '../site/MainMenu.tsx'
import { useSite } from '../site/use-site.ts'
import { useTexts } from '../texts/use-texts.ts'
import { Button } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'
import { Message } from '../ui/Message.tsx'
import { Page } from '../ui/Page.tsx'
import { useValue } from '../use-value.ts'
import { AcceptForm } from './AcceptForm.tsx'
import styles from './InvitePage.module.css'
import { InvitationPage, type InvitationProblem, isFinal } from './invitation-page.ts'

/** The page of an invitation link, `/invite/<token>`. */
export function InvitePage({ token }: { token: string }) {
  const { t } = useTexts()
  const { account, api, go } = useSite()
  const [page] = useState(() => new InvitationPage({ token, api, account, onAccepted: () => go('/') }))
  const state = useValue(page)
  useEffect(() => void page.load(), [page])

  if (state.is === 'problem') return <ProblemPage problem={state.problem} onRetry={() => void page.load()} />
  const isReset = state.is === 'open' && state.invitation.hasPassword
  const heading = isReset ? t('invite.resetTitle') : t('invite.title')
  const title = state.is === 'loading' ? t('invite.loading') : heading
  return (
    <Page title={`${title} · Lectern`} status={title} corner={<MainMenu />}>
      <Card busy={state.is === 'loading'}>
        {state.is === 'loading' ? (
          <p className={styles.loading}>{title}</p>
        ) : (
          <AcceptForm
            title={title}
            invitation={state.invitation}
            isAccepting={state.isAccepting}
            failure={state.failure}
            onAccept={password => void page.accept(password)}
          />
        )}
      </Card>
    </Page>
  )
}

const icons: Record<InvitationProblem, typeof CloudOff> = {
  invalid: CircleSlash,
  expired: Hourglass,
  disabled: CircleSlash,
  passwordsOff: CircleSlash,
  unreachable: CloudOff,
  limited: Hourglass,
  failing: CloudOff,
}

function ProblemPage({ problem, onRetry }: { problem: InvitationProblem; onRetry: () => void }) {
  const { t } = useTexts()
  const { go } = useSite()
  const title = t(`invite.${problem}.title`)
  return (
    <Page title={`${title} · Lectern`} status={title} corner={<MainMenu />}>
      <Message icon={icons[problem]} title={title} text={t(`invite.${problem}.text`)}>
        {isFinal(problem) ? (
          <Button onClick={() => go('/')}>{t('invite.toSignIn')}</Button>
        ) : (
          <Button onClick={onRetry}>{t('invite.again')}</Button>
        )}
      </Message>
    </Page>
  )
}

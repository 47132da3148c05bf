import type { Observable } from '@lectern/common'
import { KeyRound } from 'lucide-react'
import { useEffect, useState } from 'react'
import { MainMenu } from '../site/MainMenu.tsx'
import { useSite } from '../site/use-site.ts'
import { useTexts } from '../texts/use-texts.ts'
import { Button } from '../ui/Button.tsx'
import { Message } from '../ui/Message.tsx'
import { Page } from '../ui/Page.tsx'
import { useValue } from '../use-value.ts'
import type { SsoProblem, SsoReturn } from './single-sign-on.ts'

/** The page to which the identity provider returns: it completes the sign-in, or says why that failed. */
export function SsoReturnPage({ completion }: { completion: Observable<SsoReturn> }) {
  const { t } = useTexts()
  const { sso, go, replace } = useSite()
  const state = useValue(completion)
  const [busy, setBusy] = useState(false)
  /** The problem of the last try to start again. */
  const [problem, setProblem] = useState<SsoProblem | null>(null)
  useEffect(() => {
    if (state.is === 'done') replace(state.returnTo)
  }, [state, replace])
  const again = async (returnTo: string, purpose: 'sign-in' | 'link') => {
    setBusy(true)
    const found = await sso.start(returnTo, purpose)
    if (found === null) return // the page is about to be left
    setProblem(found)
    setBusy(false)
  }
  if (state.is !== 'failed')
    return (
      <Page title={t('sso.completing')} status={t('sso.completing')} corner={<MainMenu />}>
        <Message icon={KeyRound} title={t('sso.completing')} text={t('sso.wait')} />
      </Page>
    )
  const title = state.purpose === 'link' ? t('sso.linkFailed') : t('sso.failed')
  return (
    <Page title={title} status={title} corner={<MainMenu />}>
      <Message icon={KeyRound} title={title} text={t(`sso.problems.${problem ?? state.problem}`)}>
        <Button busy={busy} onClick={() => void again(state.returnTo, state.purpose)}>
          {t('problem.again')}
        </Button>
        <Button secondary onClick={() => go(state.returnTo)}>
          {t('sso.back')}
        </Button>
      </Message>
    </Page>
  )
}

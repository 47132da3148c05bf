import { useState } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { describeDistance } from '../../time/format.ts'
import { useServerTime } from '../../time/use-server-time.ts'
import { Button } from '../../ui/Button.tsx'
import { useValue } from '../../use-value.ts'
import styles from './SettingsPage.module.css'
import { SettingsSection } from './SettingsSection.tsx'
import listStyles from './SignInItem.module.css'
import { SignInItem } from './SignInItem.tsx'
import type { SignIns } from './sign-ins.ts'

/** The devices of the account. */
export function SignInsSection({ signIns }: { signIns: SignIns }) {
  const { t, locale } = useTexts()
  const state = useValue(signIns)
  const now = useServerTime()
  const [outcome, setOutcome] = useState<'ended' | 'failed' | null>(null)
  const [busy, setBusy] = useState(false)
  const run = async (action: () => Promise<boolean>) => {
    if (busy) return
    setBusy(true)
    setOutcome(null)
    const worked = await action()
    setBusy(false)
    setOutcome(worked ? 'ended' : 'failed')
  }
  const when = (at: number) => describeDistance(at, now, { locale })
  return (
    <SettingsSection title={t('settings.signIns')} hint={t('settings.signInsHint')}>
      {state.is === 'loading' && <p className={styles.note}>{t('settings.loading')}</p>}
      {state.is === 'unknown' && (
        <>
          <p className={styles.note} role="status">
            {t('settings.signInsUnknown')}
          </p>
          <Button secondary onClick={() => void signIns.load()}>
            {t('problem.again')}
          </Button>
        </>
      )}
      {state.is === 'known' && (
        <>
          {state.stale && <p className={styles.note}>{t('settings.signInsStale')}</p>}
          <ul className={listStyles.list}>
            {state.list.map(signIn => (
              <SignInItem
                key={signIn.id}
                signIn={signIn}
                when={when}
                onEnd={() => void run(() => signIns.end(signIn.id))}
              />
            ))}
          </ul>
          {state.total > state.list.length && (
            <p className={styles.note}>
              {t('settings.signInsMore', { number: state.total - state.list.length })}
            </p>
          )}
          {state.total > 1 && (
            <Button secondary busy={busy} onClick={() => void run(signIns.endOthers)}>
              {t('settings.endOthers')}
            </Button>
          )}
        </>
      )}
      <p role="status" className={outcome === 'failed' ? styles.failed : styles.done}>
        {outcome === 'ended' && t('settings.ended')}
        {outcome === 'failed' && t('settings.notEnded')}
      </p>
    </SettingsSection>
  )
}

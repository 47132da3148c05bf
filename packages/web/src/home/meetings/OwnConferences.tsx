import { useEffect, useState } from 'react'
import { useSite } from '../../site/use-site.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/Button.tsx'
import { VirtualList } from '../../ui/VirtualList.tsx'
import { useValue } from '../../use-value.ts'
import { ConferenceItem } from './ConferenceItem.tsx'
import { CreateForm } from './CreateForm.tsx'
import { Conferences } from './conferences.ts'
import styles from './OwnConferences.module.css'
import type { OwnConference } from './own-conference.ts'

/** Often enough to notice who joins and leaves. */
const REFRESH_INTERVAL_MS = 15_000

const ROW_REM = 8

const tagOf = ({ tag }: OwnConference) => tag

export function OwnConferences() {
  const { t } = useTexts()
  const { account } = useSite()
  const [conferences] = useState(() => new Conferences(account))
  const state = useValue(conferences)
  useEffect(() => {
    const refresh = () => {
      if (document.visibilityState === 'visible') void conferences.load()
    }
    refresh()
    const timer = setInterval(refresh, REFRESH_INTERVAL_MS)
    document.addEventListener('visibilitychange', refresh)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', refresh)
    }
  }, [conferences])

  return (
    <>
      <CreateForm create={conferences.create} />
      {state.is === 'loading' && (
        <p className={styles.note} role="status">
          {t('meetings.loading')}
        </p>
      )}
      {state.is === 'unknown' && (
        <div className={styles.unknown} role="status">
          <p>{t('meetings.unknown')}</p>
          <Button secondary onClick={() => void conferences.load()}>
            {t('problem.again')}
          </Button>
        </div>
      )}
      {state.is === 'known' && state.stale && (
        <p className={styles.note} role="status">
          {t('meetings.stale')}
        </p>
      )}
      {state.is === 'known' && state.list.length === 0 && <p className={styles.note}>{t('meetings.none')}</p>}
      {state.is === 'known' && state.list.length > 0 && (
        <VirtualList items={state.list} keyOf={tagOf} rowRem={ROW_REM}>
          {conference => <ConferenceItem conference={conference} conferences={conferences} />}
        </VirtualList>
      )}
    </>
  )
}

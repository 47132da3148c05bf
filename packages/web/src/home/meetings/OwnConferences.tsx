import { CalendarDays } from 'lucide-react'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { VirtualList } from '../../ui/VirtualList.tsx'
import { useValue } from '../../use-value.ts'
import { useLists } from '../lists.ts'
import { useRefresh } from '../use-refresh.ts'
import { ConferenceItem } from './ConferenceItem.tsx'
import { CreateForm } from './CreateForm.tsx'
import styles from './OwnConferences.module.css'
import type { OwnConference } from './own-conference.ts'

const ROW_REM = 8

const tagOf = ({ tag }: OwnConference) => tag

export function OwnConferences() {
  const { t } = useTexts()
  const { conferences } = useLists()
  const state = useValue(conferences)
  useRefresh(conferences.load)

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
      {state.is === 'known' && state.list.length === 0 && (
        <EmptyState icon={CalendarDays} title={t('meetings.none')} />
      )}
      {state.is === 'known' && state.list.length > 0 && (
        <VirtualList items={state.list} keyOf={tagOf} rowRem={ROW_REM}>
          {conference => <ConferenceItem conference={conference} conferences={conferences} />}
        </VirtualList>
      )}
    </>
  )
}

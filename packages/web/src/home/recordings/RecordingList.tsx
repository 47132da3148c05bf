import { Clapperboard } from 'lucide-react'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { useValue } from '../../use-value.ts'
import { useLists } from '../lists.ts'
import { PageFrame } from '../shell/PageFrame.tsx'
import { useRefresh } from '../use-refresh.ts'
import { RecordingItem, UnfinishedItem } from './RecordingItem.tsx'
import styles from './RecordingList.module.css'

/** The recordings of the user's own meetings, newest first. */
export function RecordingList() {
  const { t } = useTexts()
  const { recordings } = useLists()
  const state = useValue(recordings)
  useRefresh(recordings.load)

  return (
    <PageFrame title={t('recordings.title')}>
      <div className={styles.page}>
        {state.is === 'loading' && (
          <p className={styles.note} role="status">
            {t('recordings.loading')}
          </p>
        )}
        {state.is === 'unknown' && (
          <div className={styles.unknown} role="status">
            <p>{t('recordings.unknown')}</p>
            <Button secondary onClick={() => void recordings.load()}>
              {t('problem.again')}
            </Button>
          </div>
        )}
        {state.is === 'known' && state.stale && (
          <p className={styles.note} role="status">
            {t('recordings.stale')}
          </p>
        )}
        {state.is === 'known' && state.list.length + state.unfinished.length === 0 && (
          <EmptyState icon={Clapperboard} title={t('recordings.none')} text={t('recordings.how')} />
        )}
        {state.is === 'known' && state.list.length + state.unfinished.length > 0 && (
          <ul className={styles.list}>
            {state.unfinished.map(each => (
              <UnfinishedItem key={each.recording_id} recording={each} />
            ))}
            {state.list.map(each => (
              <RecordingItem key={each.recording_id} recording={each} />
            ))}
          </ul>
        )}
        {state.is === 'known' && state.next !== null && (
          <div>
            <Button secondary onClick={() => void recordings.loadMore()}>
              {t('recordings.more')}
            </Button>
          </div>
        )}
      </div>
    </PageFrame>
  )
}

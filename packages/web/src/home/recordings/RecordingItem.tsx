import type { OwnRecordingView, UnfinishedRecordingView } from '@lectern/protocol'
import { Captions, CircleAlert, LoaderCircle } from 'lucide-react'
import { homePath } from '../../address.ts'
import { formatSize } from '../../format-size.ts'
import { Link } from '../../site/Link.tsx'
import { useTexts } from '../../texts/use-texts.ts'
import { formatDate } from './format.ts'
import { Poster } from './Poster.tsx'
import styles from './RecordingItem.module.css'
import { formatPosition } from './transcript-text.ts'

/** A finished recording: a link to its page. */
export function RecordingItem({ recording }: { recording: OwnRecordingView }) {
  const { t, locale } = useTexts()
  const { recording_id, title, started_at_ms, duration_ms, size, transcript, poster_blob_id } = recording
  return (
    <li className={styles.item}>
      <Poster recordingId={recording_id} blobId={poster_blob_id} />
      <div className={styles.facts}>
        <h2 className={styles.title}>
          <Link className={styles.link} href={homePath('recordings', recording_id)} dir="auto">
            {title}
          </Link>
        </h2>
        <p className={styles.line}>
          <time dateTime={new Date(started_at_ms).toISOString()}>{formatDate(started_at_ms, locale)}</time>
          <span>{formatPosition(duration_ms)}</span>
          <span>{formatSize(size, locale)}</span>
          {transcript !== 'none' && (
            <span className={styles.badge}>
              <Captions aria-hidden="true" />
              {t(`recordings.transcripts.${transcript}`)}
            </span>
          )}
        </p>
      </div>
    </li>
  )
}

/** A recording that is still made, or failed. */
export function UnfinishedItem({ recording }: { recording: UnfinishedRecordingView }) {
  const { t, locale } = useTexts()
  const { title, created_at_ms, state } = recording
  const Icon = state === 'failed' ? CircleAlert : LoaderCircle
  return (
    <li className={styles.item} data-state={state}>
      <span className={styles.icon}>
        <Icon aria-hidden="true" />
      </span>
      <div className={styles.facts}>
        <h2 className={styles.title} dir="auto">
          {title}
        </h2>
        <p className={styles.line}>
          <time dateTime={new Date(created_at_ms).toISOString()}>{formatDate(created_at_ms, locale)}</time>
          <span className={styles.state}>{t(`recordings.states.${state}`)}</span>
        </p>
      </div>
    </li>
  )
}

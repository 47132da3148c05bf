import { Captions, type LucideIcon } from 'lucide-react'
import { useTexts } from '../texts/use-texts.ts'
import { useValue } from '../use-value.ts'
import type { JoinedState } from './joined-state.ts'
import { useModeratorTerm } from './moderator-term.ts'
import styles from './RecordingIndicators.module.css'
import type { Room } from './room.ts'

/** Shows that the meeting is recorded or transcribed: nobody is recorded without seeing it. */
export function RecordingIndicators({ room, joined: { session } }: { room: Room; joined: JoinedState }) {
  const { t } = useTexts()
  const moderator = useModeratorTerm()
  const isTranscribed = session.transcription && room.features.transcription
  const isWaiting = useValue(room.recording).is === 'waiting'
  return (
    <div className={styles.indicators}>
      {session.recording && <Indicator label={t('room.rec')} description={t('room.recording', moderator)} />}
      {isTranscribed && (
        <Indicator icon={Captions} label={t('room.transcriptOn')} description={t('room.transcribing')} />
      )}
      {/* For the moderator who has requested the recording. */}
      <div role="status" className={styles.status}>
        {isWaiting && <p className={styles.waiting}>{t('room.recordWaiting')}</p>}
      </div>
    </div>
  )
}

interface IndicatorProps {
  label: string
  description: string
  /** Shown on a phone in place of the label. */
  icon?: LucideIcon
}

function Indicator({ label, description, icon: Icon }: IndicatorProps) {
  return (
    <p className={styles.indicator} title={description}>
      <span className={styles.dot} aria-hidden="true" />
      {Icon && <Icon className={styles.icon} aria-hidden="true" />}
      <span className={Icon ? styles.long : styles.label} aria-hidden="true">
        {label}
      </span>
      <span className="visually-hidden">{description}</span>
    </p>
  )
}

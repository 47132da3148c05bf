import { useTexts } from '../texts/use-texts.ts'
import { useValue } from '../use-value.ts'
import type { JoinedState } from './joined-state.ts'
import styles from './RecordingIndicators.module.css'
import type { Room } from './room.ts'

/** Shows that the meeting is recorded or transcribed: nobody is recorded without seeing it. */
export function RecordingIndicators({ room, joined: { session } }: { room: Room; joined: JoinedState }) {
  const { t } = useTexts()
  const isTranscribed = session.transcription && room.features.transcription
  const isWaiting = useValue(room.recording).is === 'waiting'
  return (
    <div className={styles.indicators}>
      {session.recording && <Indicator sign={t('room.rec')} meaning={t('room.recording')} />}
      {isTranscribed && <Indicator sign={t('room.transcriptOn')} meaning={t('room.transcribing')} />}
      {/* For the moderator who has requested the recording. */}
      <div role="status">{isWaiting && <p className={styles.waiting}>{t('room.recordWaiting')}</p>}</div>
    </div>
  )
}

function Indicator({ sign, meaning }: { sign: string; meaning: string }) {
  return (
    <p className={styles.indicator} title={meaning}>
      <span className={styles.dot} aria-hidden="true" />
      <span aria-hidden="true">{sign}</span>
      <span className="visually-hidden">{meaning}</span>
    </p>
  )
}

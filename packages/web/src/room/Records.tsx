import { useTexts } from '../texts/use-texts.ts'
import { useValue } from '../use-value.ts'
import type { Inside } from './inside.ts'
import styles from './Records.module.css'
import type { Room } from './room.ts'

/** What is being kept of this meeting: nobody is recorded without seeing it. */
export function Records({ room, inside: { session } }: { room: Room; inside: Inside }) {
  const { t } = useTexts()
  const isTranscribed = session.transcription && room.features.transcription
  const isWaiting = useValue(room.recording).is === 'waiting'
  return (
    <div className={styles.records}>
      {session.recording && <Sign sign={t('room.rec')} meaning={t('room.recording')} />}
      {isTranscribed && <Sign sign={t('room.transcriptOn')} meaning={t('room.transcribing')} />}
      {/* For whoever has asked for it. */}
      <div role="status">{isWaiting && <p className={styles.waiting}>{t('room.recordWaiting')}</p>}</div>
    </div>
  )
}

function Sign({ sign, meaning }: { sign: string; meaning: string }) {
  return (
    <p className={styles.sign} title={meaning}>
      <span className={styles.dot} aria-hidden="true" />
      <span aria-hidden="true">{sign}</span>
      <span className="visually-hidden">{meaning}</span>
    </p>
  )
}

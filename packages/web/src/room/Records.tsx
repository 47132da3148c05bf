import { useTexts } from '../texts/use-texts.ts'
import type { Inside } from './inside.ts'
import styles from './Records.module.css'
import type { Room } from './room.ts'

/** What is being kept of this meeting: nobody is recorded without seeing it. */
export function Records({ room, inside: { session } }: { room: Room; inside: Inside }) {
  const { t } = useTexts()
  const isTranscribed = session.transcription && room.features.transcription
  return (
    <div className={styles.records}>
      {session.recording && <Sign sign={t('room.rec')} meaning={t('room.recording')} />}
      {isTranscribed && <Sign sign={t('room.text')} meaning={t('room.transcribing')} />}
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

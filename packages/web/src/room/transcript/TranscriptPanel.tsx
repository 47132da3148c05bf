import { useTexts } from '../../texts/use-texts.ts'
import { Switch } from '../../ui/Switch.tsx'
import { useValue } from '../../use-value.ts'
import type { JoinedState } from '../joined-state.ts'
import type { Room } from '../room.ts'
import { LanguageChoice } from './LanguageChoice.tsx'
import { TranscriptExport } from './TranscriptExport.tsx'
import { TranscriptLog } from './TranscriptLog.tsx'
import styles from './TranscriptPanel.module.css'

/** The live transcript of the meeting, with its export. */
export function TranscriptPanel({ room, joined }: { room: Room; joined: JoinedState }) {
  const { t } = useTexts()
  const { captions, transcription } = room
  const { is } = useValue(transcription)
  const isComing = is === 'starting' || is === 'waiting'
  const isModerator = joined.me.role === 'moderator'
  return (
    <>
      <div className={styles.switches}>
        {isModerator && (
          <Switch
            label={t('transcript.live')}
            on={is === 'on' || isComing}
            onChange={on => void (on ? transcription.start() : transcription.stop())}
          />
        )}
        {isModerator && (is === 'off' || is === 'refused') && (
          <LanguageChoice language={room.transcriptionLanguage} />
        )}
        <Switch label={t('transcript.captions')} on={useValue(captions)} onChange={captions.show} />
        <p role="status" className={styles.status}>
          {isComing && t(is === 'waiting' ? 'transcript.waiting' : 'transcript.starting')}
        </p>
      </div>
      <TranscriptLog room={room} joined={joined} />
      <TranscriptExport room={room} startedAt={joined.session.started_at_ms} />
    </>
  )
}

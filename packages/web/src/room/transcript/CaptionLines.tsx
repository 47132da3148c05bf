import { useValue } from '../../use-value.ts'
import type { JoinedState } from '../joined-state.ts'
import type { Room } from '../room.ts'
import styles from './CaptionLines.module.css'
import { captionsOf } from './lines.ts'
import { participantNameIn } from './participant-name.ts'

/** Captions below the videos, in space of their own: they never cover a face. Screen readers use the panel. */
export function CaptionLines({ room, joined }: { room: Room; joined: JoinedState }) {
  const isShown = useValue(room.captions)
  return isShown && joined.session.transcription ? <Lines room={room} joined={joined} /> : null
}

function Lines({ room, joined }: { room: Room; joined: JoinedState }) {
  const lines = captionsOf(useValue(room.call.transcript), participantNameIn(joined))
  return (
    <div className={styles.captions} data-lines={lines.length} aria-hidden="true">
      {lines.map(({ key, name, text }) => (
        <p key={key} className={styles.line} dir="auto">
          <bdi className={styles.name}>{name}</bdi>
          <span className={styles.words}>
            <span>{text}</span>
          </span>
        </p>
      ))}
    </div>
  )
}

import { Lock, Maximize, Minimize } from 'lucide-react'
import { useRef } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { Logo } from '../../ui/Logo.tsx'
import { useFocusRetention } from '../../ui/use-focus-retention.ts'
import { useValue } from '../../use-value.ts'
import { layoutIcons } from '../bar/layout-icons.ts'
import { useCompact } from '../bar/use-compact.ts'
import { useQuietTips } from '../bar/use-quiet-tips.ts'
import type { JoinedState } from '../joined-state.ts'
import { useModeratorTerm } from '../moderator-term.ts'
import { NoticeList } from '../notices/NoticeList.tsx'
import { RecordingIndicators } from '../RecordingIndicators.tsx'
import type { Room } from '../room.ts'
import { Clock } from './Clock.tsx'
import { HeaderButton } from './HeaderButton.tsx'
import styles from './RoomHeader.module.css'

/** The title and the state of the meeting; at the end, the choice of the view. On a phone *Leave* is at the end. */
export function RoomHeader({ room, joined: joinedState }: { room: Room; joined: JoinedState }) {
  const { t } = useTexts()
  const moderator = useModeratorTerm()
  const isCompact = useCompact()
  const header = useRef<HTMLElement>(null)
  useQuietTips(header)
  // A notice disappears when its button is pressed.
  useFocusRetention(header)
  const { dialogs, fullscreen, look, title } = room
  const { session } = joinedState
  const isFull = useValue(fullscreen)
  const layout = useValue(room.layout)
  return (
    <header ref={header} className={styles.header} tabIndex={-1}>
      <div className={styles.heading}>
        {!isFull &&
          (look.brand === null ? (
            <Logo className={styles.logo} />
          ) : (
            <bdi className={styles.brand}>{look.brand}</bdi>
          ))}
        <h1 className={styles.title} dir="auto" title={title}>
          {title || t('invitation.untitled')}
        </h1>
        <Clock clock={room.clock} startedAt={session.started_at_ms} endsAt={room.endsAt} />
        <NoticeList room={room} />
      </div>
      <RecordingIndicators room={room} joined={joinedState} />
      {session.locked && (
        <p className={styles.lock} title={t('bar.locked', moderator)}>
          <Lock role="img" aria-label={t('bar.locked', moderator)} />
        </p>
      )}
      {!isCompact && (
        <div className={styles.looking}>
          <HeaderButton
            icon={layoutIcons[layout]}
            label={t('stage.layout.title')}
            hint={t(`stage.layout.${layout}`)}
            shortcut="G"
            isNamed
            onClick={() => dialogs.show('layout')}
          />
          <HeaderButton
            icon={isFull ? Minimize : Maximize}
            label={t('room.fullscreen')}
            hint={isFull ? t('room.exitFullscreen') : t('room.fullscreen')}
            isOn={isFull}
            shortcut="F"
            onClick={() => void fullscreen.toggle()}
          />
        </div>
      )}
    </header>
  )
}

import { useEffect, useRef } from 'react'
import { refuseFiles } from '../chat/files/file-transfer.ts'
import { documentTitle } from '../site/document-title.ts'
import { useModule } from '../site/use-module.ts'
import { useSite } from '../site/use-site.ts'
import { isTouchKeyboard } from '../ui/touch-keyboard.ts'
import { useFocusRetention } from '../ui/use-focus-retention.ts'
import { useValue } from '../use-value.ts'
import { AlertTitle } from './alerts/AlertTitle.tsx'
import { RemoteAudio } from './audio/RemoteAudio.tsx'
import { Banner } from './banner/Banner.tsx'
import { ControlBar } from './bar/ControlBar.tsx'
import { ShortcutKeys } from './bar/shortcut-keys.ts'
import { Announcer } from './chat/Announcer.tsx'
import { RoomHeader } from './header/RoomHeader.tsx'
import { useIdle } from './header/use-idle.ts'
import type { JoinedState } from './joined-state.ts'
import { LobbyNotice } from './notices/LobbyNotice.tsx'
import { RoomPartsContext } from './parts.ts'
import styles from './RoomView.module.css'
import { ReactionLog } from './reactions/ReactionLog.tsx'
import type { Room } from './room.ts'
import { MessageBubble } from './stage/messages/MessageBubble.tsx'
import { Stage } from './stage/Stage.tsx'
import { CaptionLines } from './transcript/CaptionLines.tsx'

/** The room after joining. */
export function RoomView({ room, joined }: { room: Room; joined: JoinedState }) {
  const { call, features, panels, title } = room
  const panel = useValue(panels)
  const isFull = useValue(room.fullscreen)
  const isIdle = useIdle(isFull)
  const main = useRef<HTMLElement>(null)
  // Notices whose buttons are pressed disappear, and so do the tiles of people who leave.
  useFocusRetention(main)
  useEffect(() => {
    documentTitle.setPage(title)
  }, [title])
  const loaded = useModule(useSite().roomParts)
  const parts = loaded.is === 'loaded' ? loaded.module : null
  const hasKeys = useValue(room.shortcutKeys) && !isTouchKeyboard()
  return (
    <ShortcutKeys value={hasKeys}>
      <RoomPartsContext value={parts}>
        <div
          className={styles.room}
          data-full={isFull || undefined}
          data-idle={isIdle || undefined}
          data-panel={panel ?? undefined}
          data-can-end={joined.me.role === 'moderator' || undefined}
          {...refuseFiles}
        >
          <RoomHeader room={room} joined={joined} />
          <main ref={main} className={styles.main} tabIndex={-1}>
            <div className={styles.alerts}>
              {parts && <parts.SharingBar room={room} />}
              {panel !== 'people' && <LobbyNotice room={room} joined={joined} />}
            </div>
            <div className={styles.stage}>
              <Stage room={room} joined={joined} />
              <Banner call={call} sound={room.audio} isIncomplete={loaded.is === 'failed'} />
              {features.chat && <MessageBubble room={room} />}
            </div>
            {features.transcription && <CaptionLines room={room} joined={joined} />}
          </main>
          {panel && parts && <parts.Panel room={room} joined={joined} tab={panel} />}
          <ControlBar room={room} joined={joined} />
          {features.chat && <Announcer call={call} ownUserId={joined.me.user_id} />}
          <ReactionLog room={room} joined={joined} />
          <RemoteAudio room={room} joined={joined} />
          <AlertTitle alerts={room.alerts} />
          {parts && <parts.RoomDialogs room={room} joined={joined} />}
          {parts && <parts.PipView room={room} />}
        </div>
      </RoomPartsContext>
    </ShortcutKeys>
  )
}

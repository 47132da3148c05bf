import {
  Activity,
  Captions,
  Keyboard,
  Maximize,
  MicOff,
  Minimize,
  PictureInPicture2,
  Settings,
  SlidersHorizontal,
} from 'lucide-react'
import { useTexts } from '../../texts/use-texts.ts'
import { isTouchKeyboard } from '../../ui/touch-keyboard.ts'
import { useValue } from '../../use-value.ts'
import { layoutIcons } from '../bar/layout-icons.ts'
import { useCompact } from '../bar/use-compact.ts'
import type { JoinedState } from '../joined-state.ts'
import { useModeratorTerm } from '../moderator-term.ts'
import { PopupItem } from '../popup/PopupItem.tsx'
import type { Room } from '../room.ts'
import { InvitationItem } from './InvitationItem.tsx'
import { RecordingItem } from './RecordingItem.tsx'

/** The lines of the popup *More*. */
export function MoreItems({ room, joined }: { room: Room; joined: JoinedState }) {
  const { t } = useTexts()
  const moderator = useModeratorTerm()
  const { call, dialogs, features, fullscreen, panels, pip } = room
  const isCompact = useCompact()
  const layout = useValue(room.layout)
  const isFull = useValue(fullscreen)
  const isPipOpen = useValue(pip).is !== 'closed'
  const isModerator = joined.me.role === 'moderator'
  return (
    <div>
      {isCompact && isModerator && (
        <>
          <PopupItem icon={MicOff} onClick={() => void call.actions.muteAll('audio').catch(() => {})}>
            {t('people.muteAll')}
          </PopupItem>
          <PopupItem icon={SlidersHorizontal} onClick={() => dialogs.show('class')}>
            {t('people.manage', moderator)}
          </PopupItem>
        </>
      )}
      {isModerator && features.recordingControls && <RecordingItem room={room} />}
      {features.transcription && (
        <PopupItem icon={Captions} onClick={() => panels.toggle('transcript')}>
          {t('transcript.title')}
        </PopupItem>
      )}
      {isCompact && isModerator && (
        <PopupItem icon={layoutIcons[layout]} onClick={() => dialogs.show('layout')}>
          {t('stage.layout.title')}
        </PopupItem>
      )}
      {isCompact && (
        <PopupItem icon={isFull ? Minimize : Maximize} onClick={() => void fullscreen.toggle()}>
          {isFull ? t('room.exitFullscreen') : t('room.fullscreen')}
        </PopupItem>
      )}
      {pip.isSupported && (
        <PopupItem icon={PictureInPicture2} onClick={() => void pip.toggle()}>
          {isPipOpen ? t('pip.close') : t('pip.open')}
        </PopupItem>
      )}
      {(!isCompact || isModerator) && (
        <PopupItem icon={Settings} shortcut="," onClick={() => dialogs.show('audio')}>
          {t('prejoin.options')}
        </PopupItem>
      )}
      <PopupItem icon={Activity} onClick={() => dialogs.show('statistics')}>
        {t('statistics.title')}
      </PopupItem>
      {!isTouchKeyboard() && (
        <PopupItem icon={Keyboard} shortcut="?" onClick={() => dialogs.show('keys')}>
          {t('roomSettings.shortcuts')}
        </PopupItem>
      )}
      {room.invitationUrl !== null && <InvitationItem url={room.invitationUrl} />}
    </div>
  )
}

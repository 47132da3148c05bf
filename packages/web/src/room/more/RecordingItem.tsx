import { CircleDot, CircleStop } from 'lucide-react'
import { useTexts } from '../../texts/use-texts.ts'
import { useValue } from '../../use-value.ts'
import { PopupItem } from '../popup/PopupItem.tsx'
import type { Room } from '../room.ts'

/** For moderators: starts the recording, and stops it after a confirmation. */
export function RecordingItem({ room: { recording, dialogs } }: { room: Room }) {
  const { t } = useTexts()
  const { is } = useValue(recording)
  const isOff = is === 'off' || is === 'refused'
  const isWaiting = is === 'starting' || is === 'waiting'
  return (
    <PopupItem
      icon={isOff ? CircleDot : CircleStop}
      danger={is === 'on'}
      onClick={() => {
        if (isOff) void recording.start()
        else if (isWaiting) void recording.stop()
        else if (is === 'on') dialogs.show('stopRecording')
      }}
    >
      {isOff ? t('room.record') : isWaiting ? t('room.recordCancel') : t('room.recordStop')}
    </PopupItem>
  )
}

import { CircleDot, CircleStop } from 'lucide-react'
import { useState } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { useValue } from '../../use-value.ts'
import type { ServiceSwitch } from '../service/service.ts'
import { ControlButton } from './ControlButton.tsx'

/** For moderators: starts the recording, and stops it after a confirmation. */
export function RecordingButton({ recording }: { recording: ServiceSwitch }) {
  const { t } = useTexts()
  const [isRequesting, setAsking] = useState(false)
  const { is } = useValue(recording)
  const isOff = is === 'off' || is === 'refused'
  const isWaiting = is === 'starting' || is === 'waiting'
  const label = isOff ? t('room.record') : isWaiting ? t('room.recordCancel') : t('room.recordStop')
  return (
    <>
      <ControlButton
        icon={isOff ? CircleDot : CircleStop}
        label={label}
        variant={is === 'on' ? 'warning' : 'plain'}
        isBusy={isWaiting || is === 'stopping'}
        onClick={() => {
          if (isOff) void recording.start()
          else if (isWaiting) void recording.stop()
          else if (is === 'on') setAsking(true)
        }}
      />
      {isRequesting && (
        <ConfirmDialog
          question={t('room.recordStopConfirm')}
          verb={t('room.recordStop')}
          cancel={t('room.cancel')}
          danger={false}
          onConfirm={() => void recording.stop()}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}

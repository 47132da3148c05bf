import { useTexts } from '../../texts/use-texts.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import type { Room } from '../room.ts'

export function StopRecordingDialog({ room: { recording, dialogs } }: { room: Room }) {
  const { t } = useTexts()
  return (
    <ConfirmDialog
      question={t('room.recordStopConfirm')}
      verb={t('room.recordStop')}
      cancel={t('room.cancel')}
      danger={false}
      onConfirm={() => void recording.stop()}
      onClose={() => dialogs.close('stopRecording')}
    />
  )
}

import { PhoneOff } from 'lucide-react'
import { useState } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import type { Room } from '../room.ts'
import { ControlButton } from './ControlButton.tsx'

/** For moderators: ends the session for everybody. */
export function EndButton({ room }: { room: Room }) {
  const { t } = useTexts()
  const [isRequesting, setAsking] = useState(false)
  return (
    <>
      <ControlButton
        icon={PhoneOff}
        label={t('room.end')}
        variant="warning"
        onClick={() => setAsking(true)}
      />
      {isRequesting && (
        <ConfirmDialog
          question={t('room.endConfirm')}
          verb={t('room.end')}
          cancel={t('room.cancel')}
          danger
          // After a failure the session continues; the user can retry.
          onConfirm={() => void room.call.actions.endForAll().catch(() => {})}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}

import { PhoneOff } from 'lucide-react'
import { useState } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { ConfirmDialog } from '../panel/ConfirmDialog.tsx'
import type { Room } from '../room.ts'
import { ControlButton } from './ControlButton.tsx'

/** For moderators: sends everybody home. */
export function EndButton({ room }: { room: Room }) {
  const { t } = useTexts()
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <ControlButton
        icon={PhoneOff}
        label={t('room.end')}
        variant="warning"
        onClick={() => setAsking(true)}
      />
      {isAsking && (
        <ConfirmDialog
          question={t('room.endConfirm')}
          verb={t('room.end')}
          cancel={t('room.cancel')}
          // Where it does not work the room goes on, and can be ended again.
          onConfirm={() => void room.call.actions.endForAll().catch(() => {})}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}

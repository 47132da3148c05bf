import { Ellipsis } from 'lucide-react'
import { useRef, useState } from 'react'
import type { OwnPermissions } from '../../call/own-permissions.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { ControlButton } from '../bar/ControlButton.tsx'
import type { JoinedState } from '../joined-state.ts'
import { useRoomParts } from '../parts.ts'
import { Popup } from '../popup/Popup.tsx'
import type { Room } from '../room.ts'
import styles from './MoreButton.module.css'

interface Props {
  room: Room
  joined: JoinedState
  may: OwnPermissions
}

/** Buttons that are rarely needed; on a phone also those for which the bar has no space, in a sheet. */
export function MoreButton({ room, joined, may }: Props) {
  const { t } = useTexts()
  const parts = useRoomParts()
  const [isOpen, setOpen] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  return (
    <div className={styles.more}>
      <ControlButton
        icon={Ellipsis}
        label={t('room.more')}
        isOpen={isOpen}
        button={opener}
        onClick={() => setOpen(!isOpen)}
      />
      {isOpen && parts && (
        <Popup label={t('room.more')} opener={opener} isSheet onClose={() => setOpen(false)}>
          <parts.MoreMenu room={room} joined={joined} may={may} />
        </Popup>
      )}
    </div>
  )
}

import { Ellipsis } from 'lucide-react'
import { useRef, useState } from 'react'
import type { OwnPermissions } from '../../call/own-permissions.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { useValue } from '../../use-value.ts'
import { CaptionsButton } from '../bar/CaptionsButton.tsx'
import { ControlButton } from '../bar/ControlButton.tsx'
import { HandButton } from '../bar/HandButton.tsx'
import { PeopleButton } from '../bar/PanelButtons.tsx'
import { canShareScreen, ShareButton } from '../bar/ShareButton.tsx'
import { useCompact } from '../bar/use-compact.ts'
import { BoardButton } from '../board/BoardButton.tsx'
import type { JoinedState } from '../joined-state.ts'
import { Popup } from '../popup/Popup.tsx'
import { ReactionChoice } from '../reactions/ReactionChoice.tsx'
import type { Room } from '../room.ts'
import styles from './MoreButton.module.css'
import { MoreItems } from './MoreItems.tsx'

interface Props {
  room: Room
  joined: JoinedState
  may: OwnPermissions
}

/** What is needed rarely; on a phone also the buttons for which the bar has no space, in a sheet. */
export function MoreButton({ room, joined, may }: Props) {
  const { t } = useTexts()
  const isCompact = useCompact()
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
      {isOpen && (
        <Popup
          label={t('room.more')}
          opener={opener}
          className={isCompact ? styles.sheet : undefined}
          onClose={() => setOpen(false)}
        >
          {isCompact && room.features.chat && may.chat && <ReactionChoice call={room.call} />}
          {isCompact && <Tiles room={room} joined={joined} may={may} />}
          <MoreItems room={room} joined={joined} />
        </Popup>
      )}
    </div>
  )
}

function Tiles({ room, joined, may }: Props) {
  const { call, features } = room
  const isModerator = joined.me.role === 'moderator'
  const board = useValue(room.board)
  return (
    <div className={styles.tiles}>
      {isModerator && <HandButton room={room} joined={joined} />}
      {(!isModerator || board.isAvailable) && <PeopleButton room={room} joined={joined} />}
      {!isModerator && <BoardButton room={room} isModerator={false} />}
      {canShareScreen() && <ShareButton call={call} isPermitted={may.screen} />}
      {features.transcription && <CaptionsButton room={room} joined={joined} />}
    </div>
  )
}

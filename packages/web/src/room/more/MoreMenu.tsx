import { Files, Settings } from 'lucide-react'
import type { OwnPermissions } from '../../call/own-permissions.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { useValue } from '../../use-value.ts'
import { CaptionsButton } from '../bar/CaptionsButton.tsx'
import { ControlButton } from '../bar/ControlButton.tsx'
import { HandButton } from '../bar/HandButton.tsx'
import { layoutIcons } from '../bar/layout-icons.ts'
import { PeopleButton } from '../bar/PanelButtons.tsx'
import { canShareScreen, ShareButton } from '../bar/ShareButton.tsx'
import { useCompact } from '../bar/use-compact.ts'
import { BoardButton } from '../board/BoardButton.tsx'
import { hasFiles } from '../files/files.ts'
import type { JoinedState } from '../joined-state.ts'
import { ReactionChoice } from '../reactions/ReactionChoice.tsx'
import type { Room } from '../room.ts'
import { useShareChoices } from '../sharing/share-choices.ts'
import { MoreItems } from './MoreItems.tsx'
import styles from './MoreMenu.module.css'

interface Props {
  room: Room
  joined: JoinedState
  may: OwnPermissions
}

/** The lines of the popup *More*; on phones after the reactions, and the buttons for which the bar has no space. */
export function MoreMenu({ room, joined, may }: Props) {
  const isCompact = useCompact()
  return (
    <>
      {isCompact && room.features.reactions && may.chat && <ReactionChoice call={room.call} />}
      {isCompact && <Tiles room={room} joined={joined} may={may} />}
      <MoreItems room={room} joined={joined} />
    </>
  )
}

/** The tiles of the menu. Moderators find views and settings among the lines, below the actions on the class. */
function Tiles({ room, joined, may }: Props) {
  const { t } = useTexts()
  const { call, dialogs, features, layout, panels } = room
  const isModerator = joined.me.role === 'moderator'
  const board = useValue(room.board)
  const shares = useShareChoices({ room, joined, may })
  const chosen = useValue(layout)
  return (
    <div className={styles.tiles}>
      {isModerator && <HandButton room={room} joined={joined} />}
      {(!isModerator || board.isAvailable) && <PeopleButton room={room} joined={joined} />}
      {!isModerator && <BoardButton room={room} isModerator={false} />}
      {features.screenSharing && canShareScreen() && <ShareButton call={call} isPermitted={may.screen} />}
      {shares.map(({ icon, label, choose }) => (
        <ControlButton key={label} icon={icon} label={label} onClick={choose} />
      ))}
      {hasFiles(room) && (
        <ControlButton icon={Files} label={t('roomFiles.title')} onClick={() => panels.toggle('files')} />
      )}
      {features.transcription && <CaptionsButton room={room} joined={joined} />}
      {!isModerator && (
        <>
          <ControlButton
            icon={layoutIcons[chosen]}
            label={t('stage.layout.title')}
            onClick={() => dialogs.show('layout')}
          />
          <ControlButton icon={Settings} label={t('prejoin.options')} onClick={() => dialogs.show('audio')} />
        </>
      )}
    </div>
  )
}

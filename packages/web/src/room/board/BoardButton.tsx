import { PenLine } from 'lucide-react'
import { useTexts } from '../../texts/use-texts.ts'
import { useValue } from '../../use-value.ts'
import { ControlButton } from '../bar/ControlButton.tsx'
import type { Room } from '../room.ts'

/** Opens the board for everybody, or closes it; for those who are not moderators: their own page. */
export function BoardButton({ room, isModerator }: { room: Room; isModerator: boolean }) {
  const { t } = useTexts()
  const { isAvailable, isOpen, ownPageId } = useValue(room.board)
  const lookAt = useValue(room.board.lookAt)
  if (!isAvailable || !(isModerator || ownPageId)) return null
  if (!isModerator)
    return (
      <ControlButton
        icon={PenLine}
        label={t('bar.myPage')}
        isOn={lookAt === ownPageId}
        shortcut="B"
        onClick={room.board.toggleOwnPage}
      />
    )
  return (
    <ControlButton
      icon={PenLine}
      label={t('bar.board')}
      hint={isOpen ? t('bar.closeBoard') : t('bar.openBoard')}
      isOn={isOpen}
      shortcut="B"
      onClick={room.board.toggle}
    />
  )
}

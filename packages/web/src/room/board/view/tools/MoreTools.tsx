import { Copy, FileText, Image, LayoutGrid, List, Paintbrush, UserPen } from 'lucide-react'
import { useTexts } from '../../../../texts/use-texts.ts'
import { useValue } from '../../../../use-value.ts'
import { PopupItem } from '../../../popup/PopupItem.tsx'
import { chooseFiles, IMAGE_TYPES, slideTypes } from '../../files/choose-files.ts'
import { useTakesOffice } from '../../files/use-takes-office.ts'
import type { Board } from '../../model/board.ts'
import type { OpenDialog } from '../dialogs/props.ts'

/** The actions on the page as a whole. */
export function MoreTools({ board, onDialog }: { board: Board; onDialog: (dialog: OpenDialog) => void }) {
  const { t } = useTexts()
  const isOffice = useTakesOffice(board)
  const state = useValue(board)
  if (!state) return null
  const { isModerator, page, copies } = state
  return (
    <div>
      <PopupItem icon={List} onClick={() => onDialog('elements')}>
        {t('board.elements.title')}
      </PopupItem>
      {isModerator && (
        <PopupItem icon={FileText} onClick={() => chooseFiles(slideTypes(isOffice), board.inserts.addSlides)}>
          {t('board.files.addSlides')}
        </PopupItem>
      )}
      <PopupItem icon={Image} onClick={() => chooseFiles(IMAGE_TYPES, board.inserts.addImages)}>
        {t('board.files.addImage')}
      </PopupItem>
      {isModerator && (
        <PopupItem icon={UserPen} onClick={() => onDialog('rights')}>
          {t('board.rights.title')}
        </PopupItem>
      )}
      {isModerator && page.owner_id === undefined && (
        <PopupItem icon={Copy} onClick={() => onDialog('handOut')}>
          {t('board.copies.handOut')}
        </PopupItem>
      )}
      {isModerator && copies.length > 0 && (
        <PopupItem icon={LayoutGrid} onClick={() => onDialog('copies')}>
          {t('board.copies.title')}
        </PopupItem>
      )}
      {/* Clearing can be undone. */}
      <PopupItem icon={Paintbrush} onClick={() => void board.author.clear().catch(() => {})}>
        {isModerator ? t('board.clear') : t('board.clearOwn')}
      </PopupItem>
    </div>
  )
}

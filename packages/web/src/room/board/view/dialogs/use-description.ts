import { withoutBreaks } from '@lectern/board'
import type { BoardElement } from '@lectern/protocol/control/client'
import { useTexts } from '../../../../texts/use-texts.ts'
import type { Board } from '../../model/board.ts'

/** Describes an element in words: "Anna: x = 3", "Drawing by Ben". */
export function useDescription(board: Board): (element: BoardElement) => string {
  const { t } = useTexts()
  return element => {
    const name = board.nameOf(element.author_id) ?? t('board.somebody')
    switch (element.kind) {
      case 'text':
        return t('board.text.written', { name, text: withoutBreaks(element.data.text) })
      case 'image':
        return t('board.text.written', { name, text: element.data.alt ?? t('board.elements.image') })
      case 'stroke':
      case 'marker':
        return t('board.elements.drawing', { name })
      default:
        return t('board.text.written', { name, text: t(`board.tool.${element.kind}`) })
    }
  }
}

import type { JoinedState } from '../../../joined-state.ts'
import type { Board, BoardState } from '../../model/board.ts'
import type { BoardPlace } from '../place.ts'

/** The dialogs of the board. */
export type OpenDialog = 'pages' | 'add' | 'elements' | 'rights' | 'handOut' | 'copies'

export interface BoardDialogProps {
  board: Board
  place: BoardPlace
  joined: JoinedState
  state: BoardState
  onClose: () => void
}

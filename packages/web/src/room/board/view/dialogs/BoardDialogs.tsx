import type { JoinedState } from '../../../joined-state.ts'
import type { Room } from '../../../room.ts'
import type { Board, BoardState } from '../../model/board.ts'
import { AddPageDialog } from './AddPageDialog.tsx'
import { CopiesDialog } from './CopiesDialog.tsx'
import { ElementsDialog } from './ElementsDialog.tsx'
import { HandOutDialog } from './HandOutDialog.tsx'
import { PagesDialog } from './PagesDialog.tsx'
import { RightsDialog } from './RightsDialog.tsx'

export type OpenDialog = 'pages' | 'add' | 'elements' | 'rights' | 'handOut' | 'copies'

export interface BoardDialogProps {
  board: Board
  room: Room
  joined: JoinedState
  state: BoardState
  onClose: () => void
}

export function BoardDialogs({ open, ...props }: BoardDialogProps & { open: OpenDialog }) {
  switch (open) {
    case 'pages':
      return <PagesDialog {...props} />
    case 'add':
      return <AddPageDialog {...props} />
    case 'elements':
      return <ElementsDialog {...props} />
    case 'rights':
      return <RightsDialog {...props} />
    case 'handOut':
      return <HandOutDialog {...props} />
    case 'copies':
      return <CopiesDialog {...props} />
  }
}

import { AddPageDialog } from './AddPageDialog.tsx'
import { CopiesDialog } from './CopiesDialog.tsx'
import { ElementsDialog } from './ElementsDialog.tsx'
import { HandOutDialog } from './HandOutDialog.tsx'
import { PagesDialog } from './PagesDialog.tsx'
import type { BoardDialogProps, OpenDialog } from './props.ts'
import { RightsDialog } from './RightsDialog.tsx'

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

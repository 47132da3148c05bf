import { useTexts } from '../../../../texts/use-texts.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { useAction } from '../../../../use-action.ts'
import type { BoardDialogProps } from './props.ts'

/** Says what handing out means, and does it. */
export function HandOutDialog({ board, state, onClose }: BoardDialogProps) {
  const { t } = useTexts()
  const { failure, isBusy, run } = useAction(() => t('board.refused.other'))
  return (
    <Dialog title={t('board.copies.handOut')} onClose={onClose}>
      <p>{t('board.copies.explained')}</p>
      {failure && <p role="alert">{failure}</p>}
      <Button
        busy={isBusy}
        onClick={() => void run(() => board.handOut(state.page.page_id)).then(isDone => isDone && onClose())}
      >
        {t('board.copies.handOut')}
      </Button>
    </Dialog>
  )
}

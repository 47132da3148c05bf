import type { ShareProblem } from '../../call/media/share-problem.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { useModeratorTerm } from '../moderator-term.ts'

/** Why no screen can be shared, and what helps. */
export function ShareProblemDialog({ problem, onClose }: { problem: ShareProblem; onClose: () => void }) {
  const { t } = useTexts()
  return (
    <Dialog title={t(`sharing.problem.${problem}.title`)} onClose={onClose}>
      <p>{t(`sharing.problem.${problem}.text`, useModeratorTerm())}</p>
    </Dialog>
  )
}

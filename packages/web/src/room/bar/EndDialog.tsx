import { useTexts } from '../../texts/use-texts.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { useModeratorTerm } from '../moderator-term.ts'
import type { Room } from '../room.ts'

/** For moderators: ends the session for everybody. */
export function EndDialog({ room: { call, dialogs } }: { room: Room }) {
  const { t } = useTexts()
  const moderator = useModeratorTerm()
  return (
    <ConfirmDialog
      question={t('bar.endQuestion', moderator)}
      verb={t('bar.endVerb')}
      cancel={t('room.cancel')}
      danger
      // After a failure the session continues; the user can retry.
      onConfirm={() => void call.actions.endForAll().catch(() => {})}
      onClose={() => dialogs.close('end')}
    />
  )
}

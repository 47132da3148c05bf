import { Lock, SmilePlus } from 'lucide-react'
import { useTexts } from '../../texts/use-texts.ts'
import { ControlButton } from '../bar/ControlButton.tsx'
import { useModeratorTerm } from '../moderator-term.ts'
import type { Room } from '../room.ts'

/** `isPermitted`: everybody who may write in the chat may react. */
export function ReactionsButton({ room, isPermitted }: { room: Room; isPermitted: boolean }) {
  const { t } = useTexts()
  const moderator = useModeratorTerm()
  const forbidden = t('reactions.forbidden', moderator)
  return (
    <ControlButton
      icon={SmilePlus}
      label={t('reactions.title')}
      hint={isPermitted ? t('reactions.title') : forbidden}
      isForbidden={!isPermitted}
      badge={isPermitted ? undefined : <Lock role="img" aria-label={forbidden} />}
      shortcut="R"
      onClick={() => room.dialogs.show('reactions')}
    />
  )
}

import { Lock, SmilePlus } from 'lucide-react'
import type { Ref } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { useValue } from '../../use-value.ts'
import { ControlButton } from '../bar/ControlButton.tsx'
import { useModeratorTerm } from '../moderator-term.ts'
import type { Room } from '../room.ts'

interface Props {
  room: Room
  isPermitted: boolean
  opener: Ref<HTMLButtonElement>
}

/** `isPermitted`: everybody who may write in the chat may react. */
export function ReactionsButton({ room: { dialogs }, isPermitted, opener }: Props) {
  const { t } = useTexts()
  const moderator = useModeratorTerm()
  const isOpen = useValue(dialogs) === 'reactions'
  const forbidden = t('reactions.forbidden', moderator)
  return (
    <ControlButton
      icon={SmilePlus}
      label={t('reactions.title')}
      hint={isPermitted ? t('reactions.title') : forbidden}
      isForbidden={!isPermitted}
      badge={isPermitted ? undefined : <Lock role="img" aria-label={forbidden} />}
      isOpen={isOpen}
      shortcut="R"
      button={opener}
      onClick={() => (isOpen ? dialogs.close('reactions') : dialogs.show('reactions'))}
    />
  )
}

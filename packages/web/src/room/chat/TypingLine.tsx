import type { ParticipantView } from '@lectern/protocol/control/client'
import type { Typing } from '../../call/typing.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { NamedText } from '../../ui/NamedText.tsx'
import { useValue } from '../../use-value.ts'
import styles from './TypingLine.module.css'

interface Props {
  typing: Typing
  participants: readonly ParticipantView[]
}

/** The people who are typing. The line always takes its height, so that nothing jumps, and is not announced. */
export function TypingLine({ typing, participants }: Props) {
  const { t } = useTexts()
  const ids = useValue(typing)
  const writers = participants.filter(each => ids.includes(each.participant_id))
  const names = [...new Map(writers.map(each => [each.user_id, each.display_name])).values()]
  const [first, ...others] = names
  return (
    <p className={styles.line}>
      {first !== undefined && others.length === 0 && (
        <NamedText text={name => t('chat.typing', { name })} name={first} />
      )}
      {others.length > 0 && t('chat.severalTyping')}
    </p>
  )
}

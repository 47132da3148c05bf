import { REACTIONS } from '@lectern/protocol/control/client'
import type { Call } from '../../call/call.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { EMOJI } from './emoji.ts'
import styles from './ReactionChoice.module.css'

/** The reactions, which everybody sees for a few seconds. */
export function ReactionChoice({ call }: { call: Pick<Call, 'reactions'> }) {
  const { t } = useTexts()
  return (
    <div className={styles.choice}>
      {REACTIONS.map(reaction => (
        <button
          key={reaction}
          type="button"
          className={styles.reaction}
          aria-label={t(`reactions.${reaction}`)}
          title={t(`reactions.${reaction}`)}
          onClick={() => call.reactions.show(reaction)}
        >
          {EMOJI[reaction]}
        </button>
      ))}
    </div>
  )
}

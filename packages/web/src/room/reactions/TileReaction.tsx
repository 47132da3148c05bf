import type { Call } from '../../call/call.ts'
import { useValue } from '../../use-value.ts'
import { EMOJI } from './emoji.ts'
import styles from './TileReaction.module.css'

/** The newest reaction of a participant, for a few seconds. Screen readers get it from ReactionLog. */
export function TileReaction({ call, participantId }: { call: Call; participantId: string }) {
  const shown = useValue(call.reactions).findLast(each => each.participantId === participantId)
  if (!shown) return null
  return (
    <span key={shown.id} className={styles.reaction} data-reaction={shown.reaction} aria-hidden="true">
      {EMOJI[shown.reaction]}
    </span>
  )
}

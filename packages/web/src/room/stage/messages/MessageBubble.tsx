import { useValue } from '../../../use-value.ts'
import type { Room } from '../../room.ts'
import styles from './MessageBubble.module.css'

/**
 * A new message over the stage, which opens the chat. Keyboards have the button of the chat for that, and screen readers
 * get every message politely: see Announcer.
 */
export function MessageBubble({ room }: { room: Room }) {
  const message = useValue(room.messagePreview)
  if (!message) return null
  const [line] = (message.text || (message.file?.name ?? '')).trim().split('\n')
  return (
    <button
      key={message.message_id}
      type="button"
      className={styles.bubble}
      tabIndex={-1}
      aria-hidden="true"
      onClick={() => room.panels.toggle('chat')}
    >
      <bdi className={styles.name}>{message.display_name}</bdi>
      <span className={styles.line} dir="auto">
        {line}
      </span>
    </button>
  )
}

import { useState } from 'react'
import type { Call } from '../../call/call.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { useValue } from '../../use-value.ts'
import { messagesAfter, type ReadMarker } from './unread.ts'

const MAX_ANNOUNCED = 5

interface Props {
  call: Call
  ownUserId: string
}

/**
 * Announces new messages to screen readers, without moving the focus. Separate from the visible log, which would
 * also announce older messages that are loaded, and own ones.
 */
export function Announcer({ call, ownUserId }: Props) {
  const { t } = useTexts()
  const { messages } = useValue(call.chat)
  const [since] = useState<ReadMarker>(() => {
    const newest = messages.at(-1)
    return { id: newest?.message_id ?? null, at: newest?.sent_at_ms ?? 0 }
  })
  const recent = messagesAfter(messages, since).filter(each => each.user_id !== ownUserId)
  return (
    <div role="log" aria-live="polite" aria-relevant="additions" className="visually-hidden">
      {recent.slice(-MAX_ANNOUNCED).map(({ message_id, display_name, text, file }) => (
        <p key={message_id}>{t('chat.announce', { name: display_name, text: text || (file?.name ?? '') })}</p>
      ))}
    </div>
  )
}

import type { ChatMessage } from '@lectern/protocol/control/client'
import { type GroupKeys, groupMessages, type MessageGroup } from '../../chat/message-groups.ts'

/** The items in the log of a conversation, in order. */
export type LogItem =
  | { is: 'day'; key: string; at: number }
  | { is: 'new'; key: string } // what follows was unread when the conversation was opened
  | { is: 'group'; key: string; group: MessageGroup }

interface LogContext {
  ownUserId: string
  /** The newest message that had been read; null: no line is shown. */
  readUpTo: string | null
  timeZone?: string
}

/** Groups of messages, apart by days and by the line above the unread messages. */
export function logItems(messages: readonly ChatMessage[], context: LogContext): LogItem[] {
  const { ownUserId, readUpTo, timeZone } = context
  // The Swedish date format is the one of ISO 8601.
  const day = new Intl.DateTimeFormat('sv', { timeZone })
  const items: LogItem[] = []
  let part: ChatMessage[] = []
  const endPart = () => {
    for (const group of groupMessages(part, ownUserId)) items.push({ is: 'group', key: group.key, group })
    part = []
  }
  let lastDay = ''
  let hasLine = readUpTo === null
  for (const message of messages) {
    const today = day.format(message.sent_at_ms)
    const isNew = !hasLine && message.user_id !== ownUserId && Number(message.message_id) > Number(readUpTo)
    if (today !== lastDay || isNew) endPart()
    if (today !== lastDay) items.push({ is: 'day', key: `day-${today}`, at: message.sent_at_ms })
    if (isNew) items.push({ is: 'new', key: 'new' })
    hasLine ||= isNew
    lastDay = today
    part.push(message)
  }
  endPart()
  return items
}

/** Groups keep their keys while messages come before and after them. */
export function withStableKeys(items: readonly LogItem[], keys: GroupKeys): readonly LogItem[] {
  const groups = keys.assign(items.flatMap(item => (item.is === 'group' ? [item.group] : [])))
  let next = 0
  return items.map(item => {
    const group = item.is === 'group' ? groups[next++] : undefined
    return group ? { is: 'group', key: group.key, group } : item
  })
}

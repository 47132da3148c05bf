import type { ChatMessage } from '@lectern/protocol/control/client'

/** Consecutive messages of one sender. */
export interface MessageGroup {
  /** The id of its first message, until `GroupKeys` gives it another. */
  key: string
  name: string
  own: boolean
  at: number
  messages: readonly ChatMessage[]
}

/** After such a pause name and time are shown again. */
const MAX_PAUSE_MS = 5 * 60_000

export function groupMessages(messages: readonly ChatMessage[], ownUserId: string): MessageGroup[] {
  const groups: ChatMessage[][] = []
  for (const message of messages) {
    const group = groups.at(-1)
    const last = group?.at(-1)
    if (group && last && continues(last, message)) group.push(message)
    else groups.push([message])
  }
  return groups.flatMap(([first, ...rest]) =>
    first
      ? [
          {
            key: first.message_id,
            name: first.display_name,
            own: first.user_id === ownUserId,
            at: first.sent_at_ms,
            messages: [first, ...rest],
          },
        ]
      : [],
  )
}

/**
 * Groups keep their keys, and with them their elements with focus and open forms, while messages come before and after
 * them.
 */
export class GroupKeys {
  #byMessage = new Map<string, string>()

  readonly assign = (groups: readonly MessageGroup[]): MessageGroup[] => {
    const byMessage = new Map<string, string>()
    const used = new Set<string>()
    const keyed = groups.map(group => {
      const known = group.messages.map(({ message_id }) => this.#byMessage.get(message_id))
      const key = [...known, group.key].find(each => each !== undefined && !used.has(each)) ?? group.key
      used.add(key)
      for (const { message_id } of group.messages) byMessage.set(message_id, key)
      return { ...group, key }
    })
    this.#byMessage = byMessage
    return keyed
  }
}

/** Ensures that the last group is one of the user's own messages, to which pending messages are appended. */
export const withOwnGroup = (groups: readonly MessageGroup[], now: number): readonly MessageGroup[] =>
  groups.at(-1)?.own ? groups : [...groups, { key: 'own', name: '', own: true, at: now, messages: [] }]

const continues = (last: ChatMessage, next: ChatMessage) =>
  next.user_id === last.user_id &&
  next.display_name === last.display_name &&
  next.sent_at_ms - last.sent_at_ms < MAX_PAUSE_MS

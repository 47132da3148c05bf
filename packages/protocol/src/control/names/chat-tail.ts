import { utf8Length } from '../framing.ts'

/** How much of a chat stands in the state of its session: the newest messages. */
export const CHAT_TAIL_MAX = 100
export const CHAT_TAIL_BYTES = 65_536

/** What a message counts: its text and the name of its sender in UTF-8. JSON may need six times as much. */
export const messageBytes = (displayName: string, text: string): number =>
  utf8Length(displayName) + utf8Length(text)

/** How many of the newest messages stand in the state; at least one. Server and clients agree on it. */
export function chatTailLength<M>(messages: readonly M[], bytesOf: (message: M) => number): number {
  let [length, bytes] = [0, 0]
  for (let i = messages.length - 1; i >= 0 && length < CHAT_TAIL_MAX; i--) {
    bytes += bytesOf(messages[i] as M)
    if (length > 0 && bytes > CHAT_TAIL_BYTES) break
    length++
  }
  return length
}

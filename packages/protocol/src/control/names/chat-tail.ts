import { utf8Length } from '../framing.ts'

/** The limits of the newest chat messages in the state of a session. */
export const CHAT_TAIL_MAX = 100
export const CHAT_TAIL_BYTES = 65_536

/** The size of a message: its text, the names of its sender and its file in UTF-8. JSON needs up to six times as much. */
export const messageBytes = (displayName: string, text: string, fileName = ''): number =>
  utf8Length(displayName) + utf8Length(text) + utf8Length(fileName)

/** The number of newest messages in the state, at least one. Server and clients MUST use the same function. */
export function chatTailLength<M>(messages: readonly M[], bytesOf: (message: M) => number): number {
  let [length, bytes] = [0, 0]
  for (let i = messages.length - 1; i >= 0 && length < CHAT_TAIL_MAX; i--) {
    bytes += bytesOf(messages[i] as M)
    if (length > 0 && bytes > CHAT_TAIL_BYTES) break
    length++
  }
  return length
}

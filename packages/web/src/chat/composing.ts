import { CHAT_TEXT_MAX } from '@lectern/protocol/control/client'

const NEAR = 200

/** Negative when the text is too long. Counted as the server counts. */
export const charactersLeft = (text: string) => CHAT_TEXT_MAX - Array.from(text.trim()).length

/** Whether the count should be shown. */
export const isNearLimit = (left: number) => left <= NEAR

/** The text to send, or null when it is blank or too long. */
export function readMessage(typed: string): string | null {
  const text = typed.replaceAll('\0', '').trim()
  return text === '' || charactersLeft(text) < 0 ? null : text
}

/** The code of every key that an input method handles. */
const HANDLED_KEY_CODE = 229

/** Whether an input method handles the key. In Safari the composition has ended when its last key is reported. */
export const isComposing = (event: Pick<KeyboardEvent, 'isComposing' | 'keyCode'>): boolean =>
  event.isComposing || event.keyCode === HANDLED_KEY_CODE

interface Key {
  key: string
  shiftKey: boolean
  isComposing: boolean
}

/** Touch keyboards have no Shift+Enter: there Enter starts a line, and the button sends. */
export const sends = ({ key, shiftKey, isComposing }: Key, isTouch: boolean) =>
  key === 'Enter' && !shiftKey && !isComposing && !isTouch

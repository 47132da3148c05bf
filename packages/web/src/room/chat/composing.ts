/** As long as the server takes; written again because its own constant stands among schemas. */
export const TEXT_MAX = 4000
const NEAR = 200

/** How many characters are left; negative when it is too long. Counted as the server counts. */
export const charactersLeft = (text: string) => TEXT_MAX - Array.from(text.trim()).length

/** Whether that is worth telling. */
export const isNearLimit = (left: number) => left <= NEAR

/** What to send, or null where there is nothing to read, or too much. */
export function readMessage(typed: string): string | null {
  const text = typed.replaceAll('\0', '').trim()
  return text === '' || charactersLeft(text) < 0 ? null : text
}

interface Key {
  key: string
  shiftKey: boolean
  isComposing: boolean
}

/** On a keyboard of glass there is no Shift to hold: there Enter begins a line, and the button sends. */
export const sends = ({ key, shiftKey, isComposing }: Key, onGlass: boolean) =>
  key === 'Enter' && !shiftKey && !isComposing && !onGlass

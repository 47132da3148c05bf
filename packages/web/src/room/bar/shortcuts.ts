import { useEffect } from 'react'

/** The letters that do something in a room; each has its own words in `texts`. */
export const SHORTCUTS = ['m', 'v', 'h', 'c', 'p', 'g'] as const
export type Shortcut = (typeof SHORTCUTS)[number]

/** What is not offered in this room has no key. */
type Actions = Readonly<Partial<Record<Shortcut, () => void>>>

const WRITES = 'input:not([type=checkbox]), textarea, select, [contenteditable]'

type Key = Pick<KeyboardEvent, 'altKey' | 'code' | 'ctrlKey' | 'key' | 'metaKey' | 'repeat'>

/** The action that a key means; null: none. */
export function actionOf(event: Key): Shortcut | null {
  if (event.altKey || event.ctrlKey || event.metaKey || event.repeat) return null
  const letter = letterOf(event)
  return SHORTCUTS.find(each => each === letter) ?? null
}

/** Where the keyboard writes other letters, the place of the key counts. */
function letterOf({ key, code }: Key): string {
  const isForeign = /^\p{L}$/u.test(key) && !/^[a-z]$/i.test(key)
  return isForeign ? code.replace(/^Key/, '').toLowerCase() : key.toLowerCase()
}

/** Nobody is writing there, and nothing stands above the room that has the keyboard for itself. */
const isFree = (target: EventTarget | null) =>
  !document.querySelector('dialog[open]') && !(target instanceof Element && target.closest(WRITES))

export function useShortcuts(actions: Actions): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const action = isFree(event.target) ? actionOf(event) : null
      if (action) actions[action]?.()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  })
}

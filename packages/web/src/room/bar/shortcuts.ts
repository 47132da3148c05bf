import { useEffect } from 'react'

/** The shortcut keys of a room. Each has its text in `texts`. */
export const SHORTCUTS = ['m', 'v', 'h', 'c', 'p', 'g'] as const
export type Shortcut = (typeof SHORTCUTS)[number]

/** Actions that the room does not offer have no shortcut. */
type Actions = Readonly<Partial<Record<Shortcut, () => void>>>

const WRITES = 'input:not([type=checkbox]), textarea, select, [contenteditable]'

type Key = Pick<KeyboardEvent, 'altKey' | 'code' | 'ctrlKey' | 'key' | 'metaKey' | 'repeat'>

/** The action of a key; null: none. */
export function actionOf(event: Key): Shortcut | null {
  if (event.altKey || event.ctrlKey || event.metaKey || event.repeat) return null
  const letter = letterOf(event)
  return SHORTCUTS.find(each => each === letter) ?? null
}

/** On keyboards with another alphabet, the position of the key counts. */
function letterOf({ key, code }: Key): string {
  const isForeign = /^\p{L}$/u.test(key) && !/^[a-z]$/i.test(key)
  return isForeign ? code.replace(/^Key/, '').toLowerCase() : key.toLowerCase()
}

/** No text field has the focus, and no modal dialog is open. */
const isFree = (target: EventTarget | null) =>
  !document.querySelector('dialog[open]') && !(target instanceof Element && target.closest(WRITES))

/** Runs the action of the key. A text field that the action focuses does not receive the character. */
export function runShortcut(event: Key & Pick<Event, 'preventDefault'>, actions: Actions): void {
  const action = actionOf(event)
  const run = action && actions[action]
  if (!run) return
  event.preventDefault()
  run()
}

export function useShortcuts(actions: Actions): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (isFree(event.target)) runShortcut(event, actions)
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  })
}

import { useEffect } from 'react'

type Actions = Readonly<Record<'m' | 'v', () => void>>

const WRITES = 'input:not([type=checkbox]), textarea, select, [contenteditable]'

type Key = Pick<KeyboardEvent, 'altKey' | 'code' | 'ctrlKey' | 'key' | 'metaKey' | 'repeat'>

/** The action that a key means; null: none. */
export function actionOf(event: Key): keyof Actions | null {
  if (event.altKey || event.ctrlKey || event.metaKey || event.repeat) return null
  const letter = letterOf(event)
  return letter === 'm' || letter === 'v' ? letter : null
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
      if (action) actions[action]()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  })
}

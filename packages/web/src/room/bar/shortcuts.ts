import { useEffect, useState } from 'react'

/** The shortcut keys of a room. Each has its text in `texts`; `?` and the comma are where the keyboard has them. */
export const SHORTCUTS = ['m', 'v', 's', 'b', 'h', 'r', 't', 'p', 'c', 'g', 'f', ',', '?'] as const
export type Shortcut = (typeof SHORTCUTS)[number]

/** Actions that the room does not offer have no shortcut. */
type Actions = Readonly<Partial<Record<Shortcut, () => unknown>>>

const WRITES = 'input:not([type=checkbox]), textarea, select, [contenteditable]'

type Key = Pick<KeyboardEvent, 'altKey' | 'code' | 'ctrlKey' | 'key' | 'metaKey' | 'repeat'>

/** The action of a key; null: none. */
export function actionOf(event: Key): Shortcut | null {
  if (event.altKey || event.ctrlKey || event.metaKey || event.repeat) return null
  const letter = letterOf(event)
  return SHORTCUTS.find(each => each === letter) ?? null
}

/** Keyboards with other signs. */
const SIGNS: Readonly<Record<string, Shortcut>> = { '؟': '?', '،': ',' }

/** On keyboards with another alphabet, the position of the key counts; some keys write two letters. */
export function letterOf({ key, code }: Pick<Key, 'code' | 'key'>): string {
  const isForeign = /^[\p{L}\p{M}]+$/u.test(key) && !/\p{Script=Latin}/u.test(key)
  return isForeign ? code.replace(/^Key/, '').toLowerCase() : (SIGNS[key] ?? key.toLowerCase())
}

/** No text field has the focus, and no modal dialog is open. */
const isFree = (target: EventTarget | null) =>
  !document.querySelector('dialog[open]') && !(target instanceof Element && target.closest(WRITES))

/** Runs the action of the key; false: it has none. A text field that the action focuses does not receive the character. */
export function runShortcut(event: Key & Pick<Event, 'preventDefault'>, actions: Actions): boolean {
  const action = actionOf(event)
  const run = action && actions[action]
  if (!run) return false
  event.preventDefault()
  run()
  return true
}

/**
 * The keys that ran an action and are still held. Their repetitions go to the text field that the action has focused,
 * and MUST NOT type there.
 */
export class HeldKeys {
  readonly #codes = new Set<string>()

  /** True: the event was a repetition, which nothing else may handle. */
  readonly swallow = (event: Key & Pick<Event, 'preventDefault'>): boolean => {
    if (!event.repeat) this.#codes.delete(event.code)
    if (!this.#codes.has(event.code)) return false
    event.preventDefault()
    return true
  }

  readonly hold = ({ code }: Pick<Key, 'code'>): unknown => this.#codes.add(code)

  readonly release = ({ code }: Pick<Key, 'code'>): unknown => this.#codes.delete(code)
}

/** `isOn`: the user has not turned the keys off. */
export function useShortcuts(actions: Actions, isOn: boolean): void {
  const [held] = useState(() => new HeldKeys())
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (held.swallow(event) || !isOn || !isFree(event.target)) return
      if (runShortcut(event, actions)) held.hold(event)
    }
    document.addEventListener('keydown', press)
    document.addEventListener('keyup', held.release)
    return () => {
      document.removeEventListener('keydown', press)
      document.removeEventListener('keyup', held.release)
    }
  })
}

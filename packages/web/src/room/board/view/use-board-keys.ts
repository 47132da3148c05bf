import { useEffect } from 'react'
import { letterOf } from '../../bar/shortcuts.ts'
import type { Board } from '../model/board.ts'
import type { Selection } from './use-selection.ts'

export const WRITES = 'input:not([type=checkbox]), textarea, select, [contenteditable]'

/** What does something else with the keys of a selected element: tabs, and what is scrolled. */
const OWN_KEYS = '[role=tablist], [role=log], [role=dialog], [tabindex="0"]'

/** Undo, redo, and what is done with a selected element. */
export function useBoardKeys(board: Board, mayDraw: boolean, { element, select }: Selection): void {
  useEffect(() => {
    if (!mayDraw) return
    const press = (event: KeyboardEvent) => {
      const { target, key, ctrlKey, metaKey, altKey } = event
      if (altKey || document.querySelector('dialog[open]')) return
      if (target instanceof Element && target.closest(WRITES)) return
      const isElsewhere = target instanceof Element && target.closest(OWN_KEYS)
      const run = ctrlKey || metaKey ? history(board, event) : element && !isElsewhere && onElement(key)
      if (!run) return
      event.preventDefault()
      event.stopPropagation()
      run()
    }
    const onElement = (key: string) => {
      if (!element) return null
      if (key === 'Escape') return () => select(null)
      if (key === 'Delete' || key === 'Backspace') return () => board.author.remove([element.element_id])
      const by = ARROWS[key]
      return by ? () => board.author.move([element.element_id], ...by) : null
    }
    document.addEventListener('keydown', press, { capture: true })
    return () => document.removeEventListener('keydown', press, { capture: true })
  }, [board, mayDraw, element, select])
}

/** In units. */
export const KEY_STEP = 10
const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-KEY_STEP, 0],
  ArrowRight: [KEY_STEP, 0],
  ArrowUp: [0, -KEY_STEP],
  ArrowDown: [0, KEY_STEP],
}

function history({ author }: Board, event: KeyboardEvent): (() => void) | null {
  const letter = letterOf(event)
  if (letter === 'z') return event.shiftKey ? author.redo : author.undo
  return letter === 'y' ? author.redo : null
}

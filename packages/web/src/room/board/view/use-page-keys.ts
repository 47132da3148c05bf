import { useEffect } from 'react'
import type { Board } from '../model/board.ts'
import type { BoardPlace } from './place.ts'
import { WRITES } from './use-board-keys.ts'

const BY_KEY: Readonly<Record<string, number>> = { PageUp: -1, PageDown: 1 }

/** Page Up and Page Down, which presenters send as well, lead through the deck. */
export function usePageKeys(board: Board, place: BoardPlace): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { target, key, altKey, ctrlKey, metaKey, shiftKey } = event
      const by = BY_KEY[key]
      if (by === undefined || altKey || ctrlKey || metaKey || shiftKey) return
      if (document.querySelector('dialog[open]')) return
      if (target instanceof Element && target.closest(`${WRITES}, [role=log], [role=dialog]`)) return
      event.preventDefault()
      turnPage(board, place, by)
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [board, place])
}

/** Moderators turn the page for everybody, others for themselves. */
export function turnPage(board: Board, { lookAt }: BoardPlace, by: number): void {
  const { pages = [], page, isModerator, mayTurnPages } = board.get() ?? {}
  const next = pages[pages.findIndex(each => each.page_id === page?.page_id) + by]
  if (!next || !mayTurnPages || page?.owner_id !== undefined) return
  // After a failure the present page stays.
  if (isModerator) void board.show(next.page_id).catch(() => {})
  else lookAt.set(next.page_id === board.shownPageId ? null : next.page_id)
}

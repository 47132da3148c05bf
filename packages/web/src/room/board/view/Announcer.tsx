import { withoutBreaks } from '@lectern/board'
import { useEffect, useState } from 'react'
import { useTexts } from '../../../texts/use-texts.ts'
import type { JoinedState } from '../../joined-state.ts'
import type { Board } from '../model/board.ts'

/** Texts that arrive within this time are read at once. */
const BATCH_MS = 3_000

/** Reads the texts that others write to screen readers. Strokes and shapes are not read. */
export function Announcer({ board, joined, pageId }: { board: Board; joined: JoinedState; pageId: string }) {
  const { t } = useTexts()
  const [texts, setTexts] = useState<readonly string[]>([])
  const ownId = joined.me.user_id
  useEffect(() => {
    const waiting = new Set<string>()
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = board.call.board.onPage(({ pageId: id, ids }) => {
      if (id !== pageId) return
      for (const each of ids ?? []) waiting.add(each)
      timer ??= setTimeout(() => {
        timer = undefined
        const lines = [...waiting].flatMap(each => {
          const element = board.edits.get(pageId, each)
          if (element?.kind !== 'text' || element.author_id === ownId) return []
          const name = board.nameOf(element.author_id) ?? t('board.somebody')
          return [t('board.text.written', { name, text: withoutBreaks(element.data.text) })]
        })
        waiting.clear()
        if (lines.length > 0) setTexts(lines)
      }, BATCH_MS)
    })
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [board, pageId, ownId, t])
  return (
    <div role="status" className="visually-hidden">
      {texts.map(each => (
        <p key={each}>{each}</p>
      ))}
    </div>
  )
}

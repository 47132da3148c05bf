import type { ChatMessage } from '@lectern/protocol/control/client'
import { useMemo, useState } from 'react'
import type { LogRange } from '../../chat/window/use-log-scroll.ts'

/** The most messages in the document. */
const MAX = 300
const PAGE = 100

interface LoadedRange extends LogRange {
  messages: readonly ChatMessage[]
  /** Older messages are loaded. */
  hasOlder: boolean
}

/** A part of the loaded messages of a chat: begins with the newest ones, and pages in both directions. */
export function useLoadedRange(all: readonly ChatMessage[]): LoadedRange {
  const [{ first, oldest }, setRange] = useState<{ first?: string | undefined; oldest?: string | undefined }>(
    {},
  )
  const newest = Math.max(0, all.length - MAX + PAGE)
  const known = all.findIndex(each => each.message_id === first)
  const start = known >= 0 ? known : newest
  const begin = (index: number) => setRange({ first: all[index]?.message_id, oldest: all[0]?.message_id })
  // Messages that arrive are appended until the part is full, and none leaves it.
  if (known < 0 && all.length > 0) begin(start)
  // Messages before the oldest one were asked for.
  if (known > 0 && first === oldest) begin(Math.max(0, known - PAGE))

  const hasOlder = start > 0
  const hasNewer = start + MAX < all.length
  return {
    messages: useMemo(() => all.slice(start, start + MAX), [all, start]),
    hasOlder,
    hasNewer,
    loadOlder: () => hasOlder && begin(Math.max(0, start - PAGE)),
    loadNewer: () => hasNewer && begin(Math.min(start + PAGE, newest)),
    toNewest: () => begin(newest),
  }
}

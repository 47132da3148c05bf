import type { WritableObservable } from '@lectern/common'
import type { Size } from '../../stage/layout/geometry.ts'

/** The parts of the room that the board needs. */
export interface BoardPlace {
  /** The page that this person has chosen for themselves; null: what everybody sees. */
  lookAt: WritableObservable<string | null>
  /** The private copy of this person; null: none was handed out. */
  ownPageId: string | null
  /** Receives the size of a tile without empty bars. */
  onSize: (size: Size) => void
}

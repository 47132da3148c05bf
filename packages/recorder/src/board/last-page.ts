import type { BoardElement, BoardPage } from '@lectern/protocol/control/client'

/** A page as it was at the end of the recording, its elements from back to front. */
export interface LastPage {
  page: BoardPage
  elements: BoardElement[]
}

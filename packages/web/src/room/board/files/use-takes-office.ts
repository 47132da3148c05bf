import { useEffect } from 'react'
import { useValue } from '../../../use-value.ts'
import type { Board } from '../model/board.ts'

/** Whether the server takes office documents, as it says now. */
export function useTakesOffice({ inserts }: Board): boolean {
  useEffect(() => void inserts.checkOffice(), [inserts])
  return useValue(inserts.takesOffice)
}

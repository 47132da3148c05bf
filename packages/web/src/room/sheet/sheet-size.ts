/** How high a sheet of a phone is. */
export type SheetSize = 'half' | 'full'

/** A shorter movement is a press. */
export const PRESS_PX = 8
/** The distance of a drag that changes the size, as a part of the window. */
const STEP = 0.12

/** The size after a drag. `by`: downwards, as a part of the height of the window. A long one closes a full sheet, too. */
export function sheetAfter(size: SheetSize, by: number): SheetSize | 'closed' {
  if (by < -STEP) return 'full'
  if (by < STEP) return size
  return size === 'full' && by < 0.5 ? 'half' : 'closed'
}

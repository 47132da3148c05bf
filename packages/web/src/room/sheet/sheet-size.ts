/** The height of the sheet on phones. */
export type SheetSize = 'half' | 'full'

/** A shorter movement is a press. */
export const PRESS_PX = 8
/** A drag of this part of the height of the window changes the size. */
const STEP = 0.12

/**
 * The size after a drag downwards by this part of the height of the window; negative: upwards. A long drag closes even a full
 * sheet.
 */
export function sheetAfter(size: SheetSize, by: number): SheetSize | 'closed' {
  if (by < -STEP) return 'full'
  if (by < STEP) return size
  return size === 'full' && by < 0.5 ? 'half' : 'closed'
}

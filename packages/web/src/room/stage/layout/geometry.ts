export interface Size {
  width: number
  height: number
}

export interface Rect extends Size {
  /** From the side where lines of text begin. */
  left: number
  top: number
}

/** The CSS of a rectangle. The stage is mirrored where the text runs from right to left. */
export const styleOf = ({ left, ...rect }: Rect) => ({ insetInlineStart: left, ...rect })

/** Tiles have shapes between these ratios. */
export const WIDEST = 16 / 9
export const TALLEST = 4 / 3
/** layout pixels between tiles. */
export const GAP = 8
/** The height of the page buttons with the gap above them, in layout pixels. */
export const PAGER = 44

export const clamp = (value: number, min: number, max: number): number => Math.min(Math.max(value, min), max)

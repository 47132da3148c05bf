/** The font size for which the sizes of layouts are given, in CSS pixels. */
const USUAL_FONT_SIZE = 16

/** The CSS pixels of a layout pixel on this page. */
export const layoutUnit = (): number =>
  Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / USUAL_FONT_SIZE

/** `@lectern/board`: what browsers and recorders share to show a board, without DOM. */
export { type Drawing, drawingsOf, strokeDrawing } from './drawing.ts'
export {
  type BoardElement,
  type Content,
  type ImageData,
  SHAPE_KINDS,
  type ShapeData,
  type ShapeKind,
  type StrokeData,
  type StrokeKind,
  type TextData,
} from './element.ts'
export { FONT_FAMILY, FONT_FILES, fontOf } from './fonts.ts'
export {
  type Box,
  boundsOf,
  grown,
  inReadingOrder,
  isTouched,
  overlaps,
  paintedBoundsOf,
  union,
} from './geometry.ts'
export { type Changes, History, type Step, withChanges } from './history.ts'
export { outlineOf } from './outline.ts'
export { type PaintContext, paintContent, paintDrawing, paintPaper, paintText } from './paint.ts'
export type { PathSink, Trace, Vector } from './path.ts'
export { asSent, decodePoints, encodePoints, type InkPoint } from './points.ts'
export {
  breakText,
  directionOf,
  LINE_HEIGHT,
  SOFT_BREAK,
  type TextLine,
  textLines,
  withoutBreaks,
} from './text.ts'

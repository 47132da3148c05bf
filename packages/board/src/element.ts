import type {
  BoardElement,
  ElementContent,
  ElementDataOf,
  ElementKind,
} from '@lectern/protocol/control/client'

export const SHAPE_KINDS = ['line', 'arrow', 'rectangle', 'ellipse'] as const satisfies readonly ElementKind[]
export type ShapeKind = (typeof SHAPE_KINDS)[number]
export type StrokeKind = 'stroke' | 'marker'

/** The content of an element. */
export type Content = ElementContent
export type ShapeData = ElementDataOf<ShapeKind>
export type TextData = ElementDataOf<'text'>
export type ImageData = ElementDataOf<'image'>
export type StrokeData = ElementDataOf<StrokeKind>
export type { BoardElement }

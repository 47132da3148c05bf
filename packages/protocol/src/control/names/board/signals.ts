import { Type } from 'typebox'
import { Nullable } from '../../../schema.ts'
import { strict } from '../../scalars.ts'
import { ElementId, pointNumbers } from './elements.ts'
import { COORDINATE_MAX, INK_NUMBERS_MAX, STROKE_POINTS_MAX } from './limits.ts'

/** The bodies of the signals on the stream of a page. */

const coordinate = () => Type.Integer({ minimum: -COORDINATE_MAX, maximum: COORDINATE_MAX })

export const inkBody = Type.Object(
  {
    element_id: ElementId,
    kind: Type.Enum(['stroke', 'marker']),
    color: Type.String({ maxLength: 7, pattern: '^#[0-9a-f]{6}$' }),
    width: Type.Integer({ minimum: 1, maximum: 200 }),
    first_index: Type.Integer({ minimum: 0, maximum: STROKE_POINTS_MAX - 1 }),
    points: pointNumbers(INK_NUMBERS_MAX),
  },
  { ...strict, description: 'A part of a stroke that is being drawn; its first point is absolute.' },
)

export const pointerBody = Type.Object(
  { position: Nullable(Type.Object({ x: coordinate(), y: coordinate() }, strict)) },
  { ...strict, description: 'Where somebody points on a page, in units; null: nowhere.' },
)

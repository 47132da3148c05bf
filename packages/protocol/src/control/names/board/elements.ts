import { type Static, Type } from 'typebox'
import { Nullable } from '../../../schema.ts'
import { Id, strict } from '../../scalars.ts'
import { text } from '../fields.ts'
import { BOARD_TEXT_MAX, COORDINATE_MAX, POINT_NUMBERS, STROKE_POINTS_MAX, VERSION_MAX } from './limits.ts'

/** Ids of elements, made by the client that creates them. */
export const ElementId = Type.String({
  minLength: 8,
  maxLength: 32,
  pattern: '^[A-Za-z0-9_-]+$',
  description: 'An element of a page: 8 to 32 characters, chosen by its client.',
})

export const ElementVersion = Type.Integer({
  minimum: 1,
  maximum: VERSION_MAX,
  description: 'The higher version wins.',
})

const coordinate = () => Type.Integer({ minimum: -COORDINATE_MAX, maximum: COORDINATE_MAX })
const length = () => Type.Integer({ minimum: 1, maximum: COORDINATE_MAX })
const Color = Type.String({ maxLength: 7, pattern: '^#[0-9a-f]{6}$', description: 'As #rrggbb.' })
const Width = Type.Integer({ minimum: 1, maximum: 200, description: 'Of the line, in units.' })

/** Numbers of points: the first point is absolute, all others are differences to the one before. */
export const pointNumbers = (maxItems: number) =>
  Type.Array(Type.Integer({ minimum: -10 * COORDINATE_MAX, maximum: 10 * COORDINATE_MAX }), {
    minItems: POINT_NUMBERS,
    maxItems,
    description:
      'x, y and pressure (0 to 255) of each point, x and y in tenths of a unit; after the first point as differences.',
  })

const Stroke = Type.Object(
  {
    points: pointNumbers(STROKE_POINTS_MAX * POINT_NUMBERS),
    color: Color,
    width: Width,
    duration_ms: Type.Integer({ minimum: 0, maximum: 3_600_000, description: 'How long it was drawn.' }),
  },
  strict,
)

const Shape = Type.Object(
  {
    x1: coordinate(),
    y1: coordinate(),
    x2: coordinate(),
    y2: coordinate(),
    color: Color,
    width: Width,
    fill: Type.Optional(Color),
  },
  strict,
)

const Text = Type.Object(
  {
    x: coordinate(),
    y: coordinate(),
    width: length(),
    text: text(1, BOARD_TEXT_MAX, 'Plain text with line breaks.'),
    size: Type.Integer({ minimum: 4, maximum: 400, description: 'Of the font, in units.' }),
    color: Color,
  },
  strict,
)

const Image = Type.Object(
  {
    x: coordinate(),
    y: coordinate(),
    width: length(),
    height: length(),
    file_id: Id,
    alt: Type.Optional(text(1, 500, 'What the image shows.')),
  },
  strict,
)

/** The data of an element, by its kind. */
export const elementData = {
  stroke: Stroke,
  marker: Stroke,
  line: Shape,
  arrow: Shape,
  rectangle: Shape,
  ellipse: Shape,
  text: Text,
  image: Image,
} as const

export type ElementKind = keyof typeof elementData
export type ElementDataOf<K extends ElementKind> = Static<(typeof elementData)[K]>
/** The kind of an element with its data. */
export type ElementContent = { [K in ElementKind]: { kind: K; data: ElementDataOf<K> } }[ElementKind]

type Fields = Parameters<typeof Type.Object>[0]

/** An object for each kind, with these fields beside `kind` and `data`. */
const byKind = <F extends Fields>(fields: F) =>
  Type.Union([
    Type.Object({ ...fields, kind: Type.Enum(['stroke', 'marker']), data: Stroke }, strict),
    Type.Object(
      { ...fields, kind: Type.Enum(['line', 'arrow', 'rectangle', 'ellipse']), data: Shape },
      strict,
    ),
    Type.Object({ ...fields, kind: Type.Literal('text'), data: Text }, strict),
    Type.Object({ ...fields, kind: Type.Literal('image'), data: Image }, strict),
  ])

const Z = Type.Integer({
  minimum: 0,
  maximum: VERSION_MAX,
  description: 'The order from back to front; of elements with the same z, by element_id.',
})

/** An element as it is on its page. */
export const BoardElement = byKind({
  element_id: ElementId,
  version: ElementVersion,
  author_id: Nullable(Id),
  z: Z,
})
export type BoardElement = ElementContent & {
  element_id: string
  version: number
  /** The user_id of who created it; null: the account was deleted. */
  author_id: string | null
  z: number
}

export const VersionOfElement = Type.Object({ element_id: ElementId, version: ElementVersion }, strict)
export type VersionOfElement = Static<typeof VersionOfElement>

/** The body of a command that puts an element on a page. */
export const putBody = <F extends Fields>(fields: F) =>
  byKind({ ...fields, element_id: ElementId, version: ElementVersion, z: Type.Optional(Z) })

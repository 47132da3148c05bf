import { type Static, Type } from 'typebox'
import { DocumentPageView, FileView } from '../files.ts'
import { Nullable, Result } from '../schema.ts'

export const SlidesQuery = Type.Object({
  name: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      format: 'text',
      description: 'The name of the document, for people.',
    }),
  ),
})

const { file_id, name, content_type, size, created_at_ms, state, failure, page_count } = FileView.properties

/** Slides of a room, as its partner has put them. */
export const RoomSlidesView = Type.Object({
  ...{ file_id, name, content_type, size, created_at_ms, state, failure, page_count },
  pages: Type.Array(DocumentPageView, { description: 'The pages that are converted, in order.' }),
})
export type RoomSlidesView = Static<typeof RoomSlidesView>

export const SlidesResponse = Type.Object({ result: Result, slides: RoomSlidesView })
export const SlidesStateResponse = Type.Object({
  result: Result,
  slides: Nullable(Type.Object({ ...RoomSlidesView.properties }, { description: 'null: none were put.' })),
})

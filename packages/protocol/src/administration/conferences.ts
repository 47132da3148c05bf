import { Type } from 'typebox'
import { Search } from '../paging.ts'
import { Nullable, Text } from '../schema.ts'

/** The names of the conference of a record. */
export const ConferenceNames = {
  conference_title: Nullable(Type.String({ description: 'Null: the conference was deleted.' })),
  external_id: Nullable(Type.String({ description: 'Of a partner room.' })),
}

/** Selects records by their conference. */
export const ConferenceQuery = {
  conference: Type.Optional(Text(128, 'The tag of a conference.')),
  search: Search('the title, external_id or tag of a partner room, or the tag of another conference in full'),
}

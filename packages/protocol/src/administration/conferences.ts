import { Type } from 'typebox'
import { Search } from '../paging.ts'
import { Nullable, Text } from '../schema.ts'

/** The names of the conference of a record. */
export const ConferenceNames = {
  conference_title: Nullable(Type.String({ description: 'Null: the conference was deleted.' })),
  external_id: Nullable(Type.String({ description: 'The id of a partner room at its partner.' })),
}

/** Selects records by their conference. */
export const ConferenceQuery = {
  conference: Type.Optional(Text(128, 'The tag of a conference.')),
  search: Search('the title, external_id or tag of a partner room, or the tag of another conference in full'),
}

import { type Static, Type } from 'typebox'
import { LANGUAGES, type Language } from './accounts.ts'
import { Nullable, Text } from './schema.ts'

const ROOM_LAYOUTS = ['webinar', 'grid', 'speaker', 'presentation'] as const
export type RoomLayout = (typeof ROOM_LAYOUTS)[number]

/** The partner's choices for the page of its room. */
export const RoomPage = Type.Object({
  brand: Type.Object({
    name: Nullable(Text(80, 'Shown instead of Lectern.')),
    accent: Nullable(
      Type.String({
        pattern: '^#[0-9A-Fa-f]{6}$',
        description: 'Colour of buttons; the page chooses black or white for what is on it.',
      }),
    ),
  }),
  layout: Type.Enum(ROOM_LAYOUTS, { description: 'The layout until somebody chooses another one.' }),
  language: Type.Unsafe<Language | null>({
    type: ['string', 'null'],
    enum: [...LANGUAGES, null],
    description:
      'The language of the page for people who have chosen none; null: the language of the browser.',
  }),
  return_url: Nullable(
    Type.String({
      minLength: 1,
      maxLength: 2_048,
      format: 'text',
      description: 'Where people go after the call: https, or http on this machine.',
    }),
  ),
  features: Type.Object(
    {
      chat: Type.Boolean(),
      files: Type.Boolean(),
      screen_sharing: Type.Boolean(),
      reactions: Type.Boolean(),
      captions: Type.Boolean(),
    },
    { description: 'A feature that is off is not shown, and is permitted to nobody.' },
  ),
})
export type RoomPage = Static<typeof RoomPage>
export type RoomFeature = keyof RoomPage['features']

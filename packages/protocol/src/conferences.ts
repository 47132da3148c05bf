import { type Static, Type } from 'typebox'
import { RoomPage } from './room-page.ts'
import { Nullable, ParticipantPreview, Result, Text } from './schema.ts'

export const ORDINARY_ENTRIES = ['open', 'lobby'] as const
export type OrdinaryEntry = (typeof ORDINARY_ENTRIES)[number]

const Entry = Type.Enum(ORDINARY_ENTRIES, {
  description: 'lobby: people wait until a moderator admits them.',
})

const IsoTime = Type.String({ maxLength: 64, format: 'zoned-time' })

/** The public view of a conference for everybody with its link. */
export const ConferenceView = Type.Object({
  result: Result,
  tag: Type.String(),
  title: Type.String(),
  starts_at: Nullable(Type.String()),
  ends_at: Nullable(Type.String()),
  live: Type.Boolean(),
  participants: Type.Optional(ParticipantPreview),
  ui_profile: Type.Optional(
    Type.Literal('partner_videoroom', {
      description: 'The profile of partner rooms, as for signed links.',
    }),
  ),
  entry: Entry,
  purpose: Type.Optional(
    Type.Literal('call', { description: 'Made for a call between users; absent for all others.' }),
  ),
  recording: Type.Optional(
    Type.Object(
      { mode: Type.Literal('automatic') },
      { description: 'A recording starts with the first participant.' },
    ),
  ),
  page: Type.Optional(RoomPage),
})
export type ConferenceView = Static<typeof ConferenceView>

export const ConferenceRequest = Type.Object({
  title: Type.Optional(Text(500, 'If empty, the tag.')),
  entry: Type.Optional(Entry),
  starts_at: Type.Optional(Nullable(IsoTime)),
  ends_at: Type.Optional(Nullable(IsoTime)),
})
export type ConferenceRequest = Static<typeof ConferenceRequest>

/** A conference as its owner sees it. */
export const OwnConferenceView = Type.Object({
  tag: Type.String({ description: 'Identifies the conference; hard to guess.' }),
  title: Type.String(),
  entry: Entry,
  starts_at: Nullable(Type.String({ description: 'When it is planned, in UTC; null: it is not.' })),
  ends_at: Nullable(Type.String()),
  created_at_ms: Type.Integer({ description: 'Unix milliseconds.' }),
  live: Type.Boolean(),
  join_url: Type.String({ description: 'The link to share; the owner is its moderator.' }),
})
export type OwnConferenceView = Static<typeof OwnConferenceView>

export const OwnConferenceResponse = Type.Object({ result: Result, ...OwnConferenceView.properties })

export const OwnConferenceListResponse = Type.Object({
  result: Result,
  conferences: Type.Array(OwnConferenceView, { description: 'Newest first, at most 1,000.' }),
})

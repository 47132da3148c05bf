import { type Static, Type } from 'typebox'
import { Next, PageQuery, Search } from '../paging.ts'
import { Nullable, Result } from '../schema.ts'

export const AdminSession = Type.Object({
  conference_session_id: Type.Integer(),
  conference_tag: Type.String(),
  server: Nullable(
    Type.String({ description: 'The name of the server that runs it; null if there is only one.' }),
  ),
  title: Type.String(),
  kind: Nullable(
    Type.Enum(['ordinary', 'partner'], {
      description: 'Null: unknown until somebody joins again after a restart.',
    }),
  ),
  started_at_ms: Type.Integer({ description: 'Unix milliseconds.' }),
  participant_count: Type.Integer(),
  waiting_count: Type.Integer({ description: 'Accounts in the lobby.' }),
  recording: Type.Boolean(),
  transcription: Type.Boolean(),
  locked: Type.Boolean(),
  rtc_node_id: Nullable(Type.String({ description: 'The first media worker; null without media.' })),
  rtc_node_ids: Type.Array(Type.String(), {
    description: 'All media workers; several in a session that one cannot serve.',
  }),
  media_nodes: Type.Array(Type.String(), {
    description: 'The media nodes of the cluster that serve it; none without media nodes.',
  }),
})
export type AdminSession = Static<typeof AdminSession>

export const AdminSessionQuery = Type.Object({ ...PageQuery, search: Search('the title or the tag') })

export const AdminSessionListResponse = Type.Object({
  result: Result,
  sessions: Type.Array(AdminSession, { description: 'Newest first.' }),
  next: Next,
})
export type AdminSessionListResponse = Static<typeof AdminSessionListResponse>

export const AdminParticipant = Type.Object({
  participant_id: Type.String(),
  user_id: Type.Integer(),
  display_name: Type.String(),
  role: Type.String(),
  presence: Type.Enum(['here', 'away'], { description: '`away`: the connection is lost.' }),
  joined_at_ms: Type.Integer({ description: 'Unix milliseconds.' }),
  quality: Nullable(
    Type.Integer({
      description: 'The quality of the connection in both directions, 0 (worst) to 10; null without media.',
    }),
  ),
  publications: Type.Array(Type.Object({ source: Type.String(), paused: Type.Boolean() }), {
    description: 'The media that the participant sends.',
  }),
})
export type AdminParticipant = Static<typeof AdminParticipant>

export const AdminSessionResponse = Type.Object({
  result: Result,
  ...AdminSession.properties,
  participants: Type.Array(AdminParticipant, { description: 'In the order of joining, at most 1,000.' }),
})
export type AdminSessionResponse = Static<typeof AdminSessionResponse>

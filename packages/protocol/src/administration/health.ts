import { type Static, Type } from 'typebox'
import { JOB_KINDS } from '../control/names/jobs.ts'
import { Nullable, Result } from '../schema.ts'

export const ServerHealth = Type.Object({
  started_at_ms: Type.Integer({ description: 'Unix milliseconds.' }),
  ready: Type.Boolean({ description: 'The databases answer.' }),
  sessions: Type.Integer(),
  participants: Type.Integer(),
  waiting: Type.Integer({ description: 'Accounts in lobbies.' }),
  connections: Type.Integer({ description: 'Open connections of the control channel.' }),
})
export type ServerHealth = Static<typeof ServerHealth>

export const ClusterMember = Type.Object({
  id: Type.String({ description: 'New at every start.' }),
  name: Type.String(),
  role: Type.Enum(['server', 'media-node']),
  version: Type.String(),
  region: Type.String(),
  draining: Type.Boolean({ description: 'It takes no new sessions.' }),
  health: Nullable(
    Type.Object(ServerHealth.properties, {
      description: 'Null: of a media node, or of a server that did not answer.',
    }),
  ),
})
export type ClusterMember = Static<typeof ClusterMember>

export const AdminHealthResponse = Type.Object({
  result: Result,
  members: Type.Array(ClusterMember, {
    description:
      'All servers and media nodes of the cluster; empty without one. The fields beside are of the server that answers.',
  }),
  version: Type.String(),
  node_version: Type.String(),
  ...ServerHealth.properties,
  partner_module: Type.Boolean(),
  jobs: Type.Object({ queued: Type.Integer(), leased: Type.Integer() }),
  webhooks_pending: Nullable(Type.Integer({ description: 'Null without the partner module.' })),
  media_workers: Type.Array(
    Type.Object({
      rtc_node_id: Type.String(),
      node: Nullable(
        Type.String({ description: 'The name of its media node; null: it belongs to this server.' }),
      ),
      pid: Type.Integer(),
      load: Type.Integer({ description: 'Routers, transports, producers and consumers.' }),
      open_descriptors: Nullable(Type.Integer()),
      descriptor_limit: Nullable(
        Type.Integer({ description: 'Null where there is no limit, or none is known.' }),
      ),
    }),
    { description: 'The media workers that run now.' },
  ),
  media_workers_expected: Type.Integer(),
  workers: Type.Array(
    Type.Object({
      kind: Type.Enum(JOB_KINDS),
      login: Type.String(),
      last_seen_ms: Type.Integer({ description: 'Unix milliseconds.' }),
      alive: Type.Boolean({ description: 'Seen in the last 90 seconds.' }),
    }),
    {
      description:
        'Accounts of recorders, transcribers and converters that asked for jobs since the start of the server.',
    },
  ),
})
export type AdminHealthResponse = Static<typeof AdminHealthResponse>

export const AdminStorageResponse = Type.Object({
  result: Result,
  disks: Type.Array(
    Type.Object({
      uses: Type.Array(Type.Enum(['files', 'data', 'database']), { description: 'The data on this disk.' }),
      folder: Type.String(),
      total_bytes: Type.Integer(),
      free_bytes: Type.Integer(),
    }),
  ),
  bucket: Type.Union([Type.String(), Type.Null()], {
    description: 'The bucket of an object storage that has the files (s3://…); null: they are on a disk.',
  }),
  reserve_bytes: Type.Integer({ description: 'Uploads leave this much free on a disk.' }),
  file_count: Type.Integer(),
  file_bytes: Type.Integer(),
  upload_count: Type.Integer({ description: 'Unfinished uploads.' }),
  recording_count: Type.Integer(),
  transcript_count: Type.Integer(),
  database_bytes: Type.Integer({
    description: 'The size of the main database and of the one of the partner module.',
  }),
})
export type AdminStorageResponse = Static<typeof AdminStorageResponse>

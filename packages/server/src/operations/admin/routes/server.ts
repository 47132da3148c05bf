import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  AdminHealthResponse,
  AdminSamplesResponse,
  AdminStorageResponse,
  SAMPLE_INTERVAL_MS,
  SampleColumns,
} from '@lectern/protocol'
import type { Auth } from '../../../http/authentication.ts'
import type { Sample } from '../ports.ts'

export interface ServerState {
  health(): Promise<AdminHealthResponse>
  storage(): Promise<AdminStorageResponse>
  /** Those of this server, and of all servers of a cluster by name. */
  samples(): Promise<{ own: Sample[]; byServer: Map<string, Sample[]> }>
}

/** The state of the server. */
export const serverRoutes =
  ({ auth, server }: { auth: Auth; server: ServerState }): FastifyPluginAsyncTypebox =>
  async app => {
    const config = { auth: auth.admin }

    app.get(
      '/health',
      {
        config,
        schema: {
          operationId: 'adminGetHealth',
          tag: 'Administration',
          summary: 'Get the health of the server and its workers',
          description: 'In a cluster also of the other servers and of the media nodes.',
          response: { 200: AdminHealthResponse },
        },
      },
      () => server.health(),
    )

    app.get(
      '/storage',
      {
        config,
        schema: {
          operationId: 'adminGetStorage',
          tag: 'Administration',
          summary: 'Get disk space',
          description:
            'The space on the disks of this server, and the space that files and databases occupy.',
          response: { 200: AdminStorageResponse },
        },
      },
      () => server.storage(),
    )

    app.get(
      '/samples',
      {
        config,
        schema: {
          operationId: 'adminGetSamples',
          tag: 'Administration',
          summary: 'Get the charts of the last day',
          description: 'One sample a minute, in columns of equal length.',
          response: { 200: AdminSamplesResponse },
        },
      },
      async () => {
        const { own, byServer } = await server.samples()
        return {
          result: 200 as const,
          interval_ms: SAMPLE_INTERVAL_MS,
          samples: toColumns(own),
          servers: [...byServer].map(([name, samples]) => ({ server: name, samples: toColumns(samples) })),
        }
      },
    )
  }

const COLUMNS = Object.keys(SampleColumns.properties) as (keyof SampleColumns)[]

/** Columns are smaller than objects, and what charts need. */
const toColumns = (samples: Sample[]): SampleColumns =>
  Object.fromEntries(COLUMNS.map(name => [name, samples.map(sample => sample[name])])) as SampleColumns

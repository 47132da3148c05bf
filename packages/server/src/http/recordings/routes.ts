import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ensure, RecordingsResponse } from '@lectern/protocol'
import type { Accounts } from '../../accounts/accounts.ts'
import type { Sessions } from '../../accounts/sessions.ts'
import type { Integration } from '../../hooks.ts'
import type { Archive } from '../../records/archive.ts'
import { presentRecording } from '../../records/present.ts'
import { bearerToken } from '../bearer.ts'
import { identifyHolder } from '../holder.ts'
import { docs } from '../openapi.ts'
import { canReadArchive, shownOwner } from './policy.ts'

interface Parts {
  accounts: Accounts
  sessions: Sessions
  integration: Integration
  archive: Archive
}

const about = docs('Recordings')

/** The archive of finished recordings (docs/partner-api.md#recordings). */
export const recordingRoutes =
  (parts: Parts): FastifyPluginAsyncTypebox =>
  async app => {
    app.get(
      '/recordings',
      { schema: { ...about('List finished recordings', 'any'), response: { 200: RecordingsResponse } } },
      async request => {
        const holder = await identifyHolder(parts, bearerToken(request))
        ensure(canReadArchive(holder), 'permission_denied', 'This needs the capability recordings.access.')
        try {
          const recordings = await parts.archive.list(shownOwner(holder))
          return { ok: true, recordings: recordings.map(presentRecording) }
        } catch (error) {
          // Rule ARCHIVE-3: the failure is reported within a 200.
          request.log.error({ err: error }, 'the archive could not be read')
          return { ok: false, error: 'The archive cannot be read right now.', recordings: [] }
        }
      },
    )
  }

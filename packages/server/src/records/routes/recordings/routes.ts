import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ensure, RecordingsResponse } from '@lectern/protocol'
import type { Auth } from '../../../http/authentication.ts'
import type { Archive } from '../../archive.ts'
import { presentRecording } from '../../present.ts'
import { canReadArchive, listedOwner } from './policy.ts'

interface RecordingRoutesOptions {
  auth: Auth
  archive: Archive
}

/** The archive of finished recordings (docs/partner-api.md#recordings). */
export const recordingRoutes =
  ({ auth, archive }: RecordingRoutesOptions): FastifyPluginAsyncTypebox =>
  async app => {
    app.get(
      '/recordings',
      {
        config: { auth: auth.userOrService },
        schema: {
          operationId: 'listRecordings',
          tag: 'Recordings',
          summary: 'List finished recordings',
          description:
            'Newest first, at most 500. Check both the status and `ok`: with `"ok": false` the archive could not be read, and the empty list means nothing. A service account sees the recordings of its own rooms; its technical user needs the capability `recordings.access`.',
          errors: ['permission_denied'],
          response: { 200: RecordingsResponse },
        },
      },
      async request => {
        const holder = auth.userOrService.callerOf(request)
        ensure(canReadArchive(holder), 'permission_denied', 'This needs the capability recordings.access.')
        try {
          const recordings = await archive.list(listedOwner(holder))
          return { ok: true, recordings: recordings.map(presentRecording) }
        } catch (error) {
          // Rule ARCHIVE-3: the failure is reported in a 200.
          request.log.error(
            { err: error, request_id: request.id },
            'the recordings of the archive could not be read: the partner asks again',
          )
          return { ok: false, error: 'The archive cannot be read right now.', recordings: [] }
        }
      },
    )
  }

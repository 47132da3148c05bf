import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Done, ensure, UnsubscribeParams } from '@lectern/protocol'
import { noAuth } from '../../../http/auth-policy.ts'
import type { Limits } from '../../../platform/route-limits.ts'
import type { Unsubscribing } from '../../missed-calls/unsubscribing.ts'

interface MissedCallRoutesOptions {
  unsubscribing: Unsubscribing
  limits: Limits
}

const PATH = '/missed-call-mails/:token'
const path = { token: '42-UBT5rzpoT91kp3XBxMUy7g' }

/** How people turn mails of missed calls off in their mail program (docs/calls.md#mails). */
export const missedCallRoutes =
  ({ unsubscribing, limits }: MissedCallRoutesOptions): FastifyPluginAsyncTypebox =>
  async app => {
    const config = { auth: noAuth } // the path holds the secret
    // A mail program sends a form, which says nothing (RFC 8058).
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: 4096 }, async () => undefined)

    app.post(
      PATH,
      {
        config,
        ...limits('link'),
        schema: {
          operationId: 'unsubscribe',
          tag: 'Accounts',
          summary: 'Turn mails of missed calls off',
          description: 'For mail programs (RFC 8058): the address is in the mails. May be repeated.',
          errors: ['not_found', 'rate_limited'],
          example: { path },
          params: UnsubscribeParams,
          response: { 200: Done },
        },
      },
      async ({ params }) => {
        ensure(await unsubscribing.unsubscribe(params.token), 'not_found')
        return { result: 200 as const }
      },
    )

    app.get(
      PATH,
      {
        config,
        ...limits('link'),
        schema: {
          operationId: 'openUnsubscribe',
          tag: 'Accounts',
          summary: 'Open the settings of mails',
          description: 'For browsers. Changes nothing, because programs that check links open them.',
          errors: ['rate_limited'],
          example: { path },
          byHandler: { responses: { 303: { description: 'The page with the settings.' } } },
          params: UnsubscribeParams,
        },
      },
      async (_, reply) => reply.redirect('/settings', 303),
    )
  }

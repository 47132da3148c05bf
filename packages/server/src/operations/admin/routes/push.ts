import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type AdminPush, AdminPushQueueResponse, PAGE_MAX } from '@lectern/protocol'
import type { UserStore } from '../../../accounts/stores/users.ts'
import type { Auth } from '../../../http/authentication.ts'
import type { PushRecord } from '../../../messaging/push/ports.ts'
import type { PushDeliveryStore } from '../../../messaging/stores/push-deliveries.ts'

interface AdminPushRoutesOptions {
  auth: Auth
  users: Pick<UserStore, 'find'>
  push: { isEnabled: boolean; deliveries: Pick<PushDeliveryStore, 'list' | 'pending'> }
}

/** Push notifications that wait, without their texts. */
export const pushRoutes =
  ({ auth, users, push }: AdminPushRoutesOptions): FastifyPluginAsyncTypebox =>
  async app => {
    const present = async (record: PushRecord): Promise<AdminPush> => ({
      id: record.id,
      login: (await users.find(record.clientId))?.login ?? String(record.clientId),
      type: record.type,
      origin: record.origin,
      attempts: record.attempts,
      next_attempt_at_ms: record.nextAttemptAtMs,
      response_status: record.responseStatus,
      error: record.error,
      created_at_ms: record.createdAtMs,
      expires_at_ms: record.expiresAtMs,
    })

    app.get(
      '/push-queue',
      {
        config: { auth: auth.admin },
        schema: {
          operationId: 'adminGetPushQueue',
          tag: 'Administration',
          summary: 'Get the push queue',
          description: 'Notifications that were not delivered yet, without texts.',
          response: { 200: AdminPushQueueResponse },
        },
      },
      async () => {
        const { isEnabled, deliveries } = push
        const [{ count }, waiting] = await Promise.all([deliveries.pending(), deliveries.list(PAGE_MAX)])
        return {
          result: 200 as const,
          enabled: isEnabled,
          pending: count,
          pushes: await Promise.all(waiting.map(present)),
        }
      },
    )
  }

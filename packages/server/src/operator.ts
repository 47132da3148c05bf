import { Jwt } from './accounts/jwt.ts'
import { Keys } from './accounts/keys.ts'
import type { Clock } from './clock.ts'
import type { Config } from './config/index.ts'
import { authSessionStore } from './db/auth-sessions.ts'
import { deliveryStore } from './db/integration/deliveries.ts'
import { serviceAccountStore } from './db/integration/service-accounts.ts'
import { webhookStore } from './db/integration/webhooks.ts'
import { openIntegrationStore, openMainStore } from './db/open.ts'
import { transcriptStore } from './db/transcripts.ts'
import { userStore } from './db/users.ts'
import { examine, type Report } from './doctor/index.ts'
import { checkMediaWorker } from './media/check.ts'
import { OperatorError } from './operator/checks.ts'
import { ServiceAccountDesk } from './operator/service-accounts.ts'
import { TranscriptDesk } from './operator/transcripts.ts'
import { UserDesk } from './operator/users.ts'
import { WebhookDesk } from './operator/webhooks.ts'

export { localUrl, mediaHostAddress } from './address.ts'
export { type Config, ConfigError, loadConfig } from './config/index.ts'
export { DELIVERY_STATUSES, type DeliveryStatus } from './integration/ports.ts'
export { createLog } from './log.ts'
export { OperatorError } from './operator/checks.ts'

/** Opens the stores for the command line. Safe while the service runs: it reads every record anew. */
export async function openOperator(config: Config, clock: Clock = Date.now): Promise<Operator> {
  const main = await openMainStore(config.Db.Url)
  const integration = config.Integration.Enabled ? await openBeside(main, config.Db.IntegrationDb) : null
  const keys = new Keys(config.Server.JwtSecret)
  const users = new UserDesk(userStore(main.db), authSessionStore(main.db), clock)
  const module = () => {
    if (!integration) throw new OperatorError('The integration module is off: set [Integration] Enabled = 1.')
    return integration.db
  }
  return {
    users,
    transcripts: new TranscriptDesk(transcriptStore(main.db)),
    get serviceAccounts() {
      return new ServiceAccountDesk(serviceAccountStore(module()), users, keys, clock)
    },
    get webhooks() {
      return new WebhookDesk(deliveryStore(module()), webhookStore(module()), clock)
    },
    adminToken: async () => {
      if (!keys.configured) throw new OperatorError('Set [Server] JwtSecret first: it signs all tokens.')
      return new Jwt(keys, clock).sign('lectern:operator', {}, 60)
    },
    close: async () => {
      await integration?.close()
      await main.close()
    },
  }
}

/** Leaves nothing open when the second store cannot be opened. */
async function openBeside(main: { close(): Promise<void> }, file: string) {
  try {
    return await openIntegrationStore(file)
  } catch (error) {
    await main.close()
    throw error
  }
}

export interface Operator {
  users: UserDesk
  transcripts: TranscriptDesk
  /** Throws OperatorError while the integration module is off. */
  readonly serviceAccounts: ServiceAccountDesk
  /** Throws OperatorError while the integration module is off. */
  readonly webhooks: WebhookDesk
  /** Opens the HTTP API for administrators for a minute. */
  adminToken(): Promise<string>
  close(): Promise<void>
}

/** Looks whether the service can do its work with this configuration on this machine. Never throws. */
export const runDoctor = (file?: string, env: NodeJS.ProcessEnv = process.env): Promise<Report> =>
  examine(file, env, { readRecords, checkMediaWorker })

async function readRecords(config: Config) {
  const operator = await openOperator(config)
  try {
    const serviceAccounts = config.Integration.Enabled ? await operator.serviceAccounts.list() : []
    return { users: await operator.users.list(), serviceAccounts }
  } finally {
    await operator.close()
  }
}

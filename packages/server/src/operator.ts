import { versionOf } from '@lectern/common/version'
import { Accounts } from './accounts/accounts.ts'
import { isActive } from './accounts/eligible.ts'
import { Inviter, invitationPath } from './accounts/invitations.ts'
import { Jwt } from './accounts/jwt.ts'
import { Keys } from './accounts/keys.ts'
import { localUrl } from './address.ts'
import { AuditLog } from './audit/audit-log.ts'
import { audited, type MethodsOf } from './audit/audited.ts'
import type { Clock } from './clock.ts'
import { providerSettings } from './compose/sso.ts'
import { type BundleOptions, collectBundle } from './compose/support-bundle.ts'
import type { NatsAddress } from './config/cluster.ts'
import type { Config, Program } from './config/index.ts'
import { acceptedSecrets } from './config/jwt-secrets.ts'
import { s3Settings } from './config/storage.ts'
import { auditStore } from './db/audit.ts'
import { authSessionStore } from './db/auth-sessions.ts'
import { blobIndex } from './db/blobs.ts'
import { deliveryStore } from './db/integration/deliveries.ts'
import { serviceAccountStore } from './db/integration/service-accounts.ts'
import { webhookStore } from './db/integration/webhooks.ts'
import { invitationStore } from './db/invitations.ts'
import { openIntegrationStore, openMainStore } from './db/open.ts'
import { endpointStore } from './db/partner/endpoints.ts'
import { pushDeliveryStore } from './db/push-deliveries.ts'
import { pushSubscriptionStore } from './db/push-subscriptions.ts'
import { transcriptStore } from './db/transcripts.ts'
import { userStore } from './db/users.ts'
import { type Probes, type Report, runChecks } from './doctor/index.ts'
import { activeWhileUsable } from './integration/webhooks/active-webhooks.ts'
import { checkMediaWorker } from './media/check.ts'
import { turnCredentials } from './media/turn.ts'
import { commandLineActor } from './operator/actor.ts'
import {
  pushRules,
  serviceAccountRules,
  transcriptRules,
  userRules,
  webhookRules,
} from './operator/audit-rules.ts'
import { OperatorError } from './operator/checks.ts'
import { unguarded } from './operator/last-administrator.ts'
import { PushAdminService } from './operator/push.ts'
import { ServiceAccountAdminService } from './operator/service-accounts.ts'
import { TranscriptAdminService } from './operator/transcripts.ts'
import { UserAdminService, type UserCommands } from './operator/users.ts'
import { WebhookAdminService } from './operator/webhooks.ts'
import { PushSender } from './push/sender.ts'
import { pushSenderSettings } from './push/settings.ts'
import { ensureRestored } from './restore-marker.ts'
import { reasonOf } from './sso/failures.ts'
import { discover } from './sso/provider.ts'
import type { CopyProgress } from './storage/s3/copy-folder.ts'
import type { Bundle } from './support/bundle.ts'

export { localUrl, mediaHostAddress } from './address.ts'
export { type BackupProgress, type BackupResult, backUp } from './backup/backup.ts'
export type { BlobProgress } from './backup/copy-blobs.ts'
export { type RestoreResult, restore, verifyBackup } from './backup/restore.ts'

export { type ClusterStatus, openClusterOperator } from './compose/cluster/cluster-operator.ts'

export { isPostgresUrl } from './config/database.ts'

export { type Config, ConfigError, findConfigFile, loadConfig } from './config/index.ts'
export { type CopyOptions, copyStores } from './db/copy.ts'
export type { CopiedTable } from './db/postgres/import.ts'
export { DELIVERY_STATUSES, type DeliveryStatus } from './integration/ports.ts'
export { createLog } from './log.ts'
export { OperatorError } from './operator/checks.ts'
export { generateVapidKeys } from './push/vapid.ts'
export type { CopyProgress } from './storage/s3/copy-folder.ts'

/** Opens the databases for the command line. Safe while the service runs, which does not cache these records. */
export async function openOperator(config: Config, clock: Clock = Date.now): Promise<Operator> {
  ensureRestored(config)
  const main = await openMainStore(config.Db.Url)
  const integration = config.Integration.Enabled ? await openSecondStore(main, config.Db.IntegrationDb) : null
  const keys = new Keys(config.Server.JwtSecret, acceptedSecrets(config.Server), clock)
  const log = new AuditLog(auditStore(main.db), clock)
  const actor = commandLineActor()
  const store = userStore(main.db)
  const users = new UserAdminService({
    users: store,
    sessions: authSessionStore(main.db),
    accounts: new Accounts(store, clock),
    inviter: new Inviter(invitationStore(main.db), clock),
    serviceAccounts: integration && serviceAccountStore(integration.db),
    guard: unguarded,
    clock,
  })
  const push = new PushAdminService({
    users: store,
    subscriptions: pushSubscriptionStore(main.db),
    deliveries: pushDeliveryStore(main.db),
    sender: config.Push.Enabled ? new PushSender({ ...pushSenderSettings(config), clock }) : null,
    clock,
  })
  const module = () => {
    if (!integration)
      throw new OperatorError('The integration module is disabled: set [Integration] Enabled = 1.')
    return integration.db
  }
  return {
    users: audited<UserCommands>(users, userRules, log, actor),
    transcripts: audited(new TranscriptAdminService(transcriptStore(main.db)), transcriptRules, log, actor),
    push: audited(push, pushRules, log, actor),
    invitationLink: token => `${config.Integration.PublicUrl || localUrl(config)}${invitationPath(token)}`,
    get serviceAccounts() {
      const { removeAll } = endpointStore(main.db)
      const service = new ServiceAccountAdminService(
        serviceAccountStore(module()),
        users,
        keys,
        clock,
        removeAll,
      )
      return audited(service, serviceAccountRules, log, actor)
    },
    get webhooks() {
      const webhooks = activeWhileUsable(webhookStore(module()), async id => isActive(await store.find(id)))
      const service = new WebhookAdminService(deliveryStore(module()), webhooks, clock)
      return audited(service, webhookRules, log, actor)
    },
    copyFiles: async (folder, onProgress) => {
      const settings = s3Settings(config.Storage)
      if (!settings) throw new OperatorError('Set [Storage] Url to the bucket first: s3://BUCKET/PREFIX.')
      const { copyFolder } = await import('./storage/s3/copy-folder.ts')
      return copyFolder({ folder, settings, index: blobIndex(main.db), onProgress })
    },
    adminToken: async () => {
      if (!keys.configured) throw new OperatorError('Set [Server] JwtSecret first: it signs all tokens.')
      return new Jwt(keys, clock).sign('lectern:operator', { sub: actor.name }, 60)
    },
    close: async () => {
      await integration?.close()
      await main.close()
    },
  }
}

/** Closes the main store when the second one cannot be opened. */
async function openSecondStore(main: { close(): Promise<void> }, file: string) {
  try {
    return await openIntegrationStore(file)
  } catch (error) {
    await main.close()
    throw error
  }
}

/** The actions of the command line, with an audit row for each. */
export interface Operator {
  users: MethodsOf<UserCommands>
  /** The link of an invitation's token: a secret. */
  invitationLink(token: string): string
  transcripts: MethodsOf<TranscriptAdminService>
  push: MethodsOf<PushAdminService>
  /** Throws OperatorError while the integration module is disabled. */
  readonly serviceAccounts: MethodsOf<ServiceAccountAdminService>
  /** Throws OperatorError while the integration module is disabled. */
  readonly webhooks: MethodsOf<WebhookAdminService>
  /** Copies the files of a folder to the configured bucket. Throws OperatorError when none is configured. */
  copyFiles(folder: string, onProgress: (progress: CopyProgress) => void): Promise<CopyProgress>
  /** A token for the HTTP API of administrators that is valid for one minute. */
  adminToken(): Promise<string>
  close(): Promise<void>
}

/** Checks whether the service can run with this configuration on this machine. Never throws. */
export const runDoctor = (
  file?: string,
  env: NodeJS.ProcessEnv = process.env,
  program: Program = 'server',
): Promise<Report> => runChecks(file, env, probes, program)

const version = versionOf(import.meta.url)

/** Collects files that help to find a fault of this installation, with the doctor's report. Never throws. */
export const createSupportBundle = (options: BundleOptions, doctor: () => Promise<Report>): Promise<Bundle> =>
  collectBundle(version, options, doctor)

/** The client of NATS is loaded when it is needed. */
const checkNats = (ca: string) => async (address: NatsAddress) =>
  (await import('./cluster/nats-connection.ts')).checkNats(address, ca)

const checkIssuer = (config: Config): Promise<string | null> =>
  discover(providerSettings(config)).then(() => null, reasonOf)

const checkBucket = async ({ Storage }: Config): Promise<string | null> => {
  const settings = s3Settings(Storage)
  if (!settings) return null
  const { faultOfBucket } = await import('./storage/s3/check.ts')
  return faultOfBucket(settings)
}

/** The driver of PostgreSQL is loaded when it is needed. */
const inspectDatabase = async (url: string) => (await import('./db/postgres/inspect.ts')).inspectPostgres(url)

async function readRecords(config: Config) {
  const operator = await openOperator(config)
  try {
    const serviceAccounts = config.Integration.Enabled ? await operator.serviceAccounts.list() : []
    return { users: await operator.users.list(), serviceAccounts }
  } finally {
    await operator.close()
  }
}

const DOCTOR_TURN_SECONDS = 60

const probes: Probes = {
  readRecords,
  inspectDatabase,
  checkMediaWorker,
  checkIssuer,
  checkNats,
  checkBucket,
  deploymentId: ({ Server }) => new Keys(Server.JwtSecret).deploymentId,
  turnCredentials: ({ Turn }) =>
    turnCredentials(Turn.Secret, 'doctor', Math.floor(Date.now() / 1000) + DOCTOR_TURN_SECONDS),
}

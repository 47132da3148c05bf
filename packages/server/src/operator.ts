import { versionOf } from '@lectern/common/version'
import { Accounts } from './accounts/accounts.ts'
import { isActive } from './accounts/eligible.ts'
import { Inviter, invitationPath } from './accounts/invitations.ts'
import { Jwt } from './accounts/jwt.ts'
import { Keys } from './accounts/keys.ts'
import type { User } from './accounts/ports.ts'
import { reasonOf } from './accounts/sso/failures.ts'
import { discover } from './accounts/sso/provider.ts'
import { authSessionStore } from './accounts/stores/auth-sessions.ts'
import { invitationStore } from './accounts/stores/invitations.ts'
import { userStore } from './accounts/stores/users.ts'
import { providerSettings } from './compose/sso.ts'
import { type BundleOptions, collectBundle } from './compose/support-bundle.ts'
import { checkMediaWorker } from './media/check.ts'
import { embedsTurn, turnSettings } from './media/turn/settings.ts'
import { turnCredentials } from './media/turn.ts'
import { PushSender } from './messaging/push/sender.ts'
import { pushSenderSettings } from './messaging/push/settings.ts'
import { pushDeliveryStore } from './messaging/stores/push-deliveries.ts'
import { pushSubscriptionStore } from './messaging/stores/push-subscriptions.ts'
import { AuditLog } from './operations/audit/audit-log.ts'
import { audited, type MethodsOf } from './operations/audit/audited.ts'
import { type Probes, type Report, runChecks } from './operations/doctor/index.ts'
import { commandLineActor } from './operations/operator/actor.ts'
import {
  ltiRules,
  pushRules,
  serviceAccountRules,
  transcriptRules,
  userRules,
  webhookRules,
} from './operations/operator/audit-rules.ts'
import { OperatorError } from './operations/operator/checks.ts'
import { unguarded } from './operations/operator/last-administrator.ts'
import { LtiAdminService } from './operations/operator/lti.ts'
import { PushAdminService } from './operations/operator/push.ts'
import { ServiceAccountAdminService } from './operations/operator/service-accounts.ts'
import { TranscriptAdminService } from './operations/operator/transcripts.ts'
import { UserAdminService, type UserCommands } from './operations/operator/users.ts'
import { WebhookAdminService } from './operations/operator/webhooks.ts'
import { auditStore } from './operations/stores/audit.ts'
import type { Bundle } from './operations/support/bundle.ts'
import { deliveryStore } from './partners/stores/deliveries.ts'
import { platformStore } from './partners/stores/lti/platforms.ts'
import { serviceAccountStore } from './partners/stores/service-accounts.ts'
import { endpointStore } from './partners/stores/v2/endpoints.ts'
import { ownerStore } from './partners/stores/v2/owners.ts'
import { partnerRetentionStore } from './partners/stores/v2/retention.ts'
import { webhookStore } from './partners/stores/webhooks.ts'
import { activeWhileUsable } from './partners/webhooks/active-webhooks.ts'
import { localUrl } from './platform/address.ts'
import type { Clock } from './platform/clock.ts'
import type { NatsAddress } from './platform/config/cluster.ts'
import type { Config, Program } from './platform/config/index.ts'
import { acceptedSecrets } from './platform/config/jwt-secrets.ts'
import { mailerSettings } from './platform/config/mail.ts'
import { s3Settings } from './platform/config/storage.ts'
import { openIntegrationStore, openMainStore } from './platform/db/open.ts'
import type { Mailer } from './platform/mail/mailer.ts'
import { ensureRestored } from './platform/restore-marker.ts'
import type { CopyProgress } from './records/storage/s3/copy-folder.ts'
import { blobIndex } from './records/stores/blobs.ts'
import { transcriptStore } from './records/stores/transcripts.ts'

export { type ClusterStatus, openClusterOperator } from './compose/cluster/cluster-operator.ts'
export { generateVapidKeys } from './messaging/push/vapid.ts'
export { type BackupProgress, type BackupResult, backUp, backUpInSeries } from './operations/backup/backup.ts'
export type { BlobProgress } from './operations/backup/copy-blobs.ts'
export { type RestoreResult, restore, verifyBackup } from './operations/backup/restore.ts'
export { OperatorError } from './operations/operator/checks.ts'
export { DELIVERY_STATUSES, type DeliveryStatus } from './partners/ports.ts'
export { localUrl, mediaHostAddress } from './platform/address.ts'
export { isPostgresUrl } from './platform/config/database.ts'
export { type Config, ConfigError, findConfigFile, loadConfig } from './platform/config/index.ts'
export { type CopyOptions, copyStores } from './platform/db/copy.ts'
export type { CopiedTable } from './platform/db/postgres/import.ts'
export { fileProblem } from './platform/file-problem.ts'
export { createLog } from './platform/log.ts'
export type { CopyProgress } from './records/storage/s3/copy-folder.ts'

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
  let mailer: Mailer | null = null
  const mailInvitation: Operator['mailInvitation'] = async (to, { user, ...invitation }) => {
    const { Mailer } = await import('./platform/mail/mailer.ts')
    const { invitationMail } = await import('./platform/mail/texts.ts')
    mailer ??= new Mailer(mailerSettings(config.Mail))
    const names = { name: user.displayName, login: user.login }
    await mailer.send({
      to,
      ...invitationMail(user.language ?? config.Mail.Language, { ...names, ...invitation }),
    })
  }
  const module = () => {
    if (!integration)
      throw new OperatorError('The integration module is disabled: set [Integration] Enabled = 1.')
    return integration.db
  }
  const serviceAccounts = () =>
    new ServiceAccountAdminService({
      accounts: serviceAccountStore(module()),
      users,
      keys,
      clock,
      retention: partnerRetentionStore(main.db),
      owners: ownerStore(main.db),
      forget: endpointStore(main.db).removeAll,
    })
  return {
    users: audited<UserCommands>(users, userRules, log, actor),
    get mailInvitation() {
      if (config.Mail.Url === '') throw new OperatorError('Set [Mail] Url and From first.')
      return mailInvitation
    },
    transcripts: audited(new TranscriptAdminService(transcriptStore(main.db)), transcriptRules, log, actor),
    push: audited(push, pushRules, log, actor),
    invitationLink: token => `${config.Integration.PublicUrl || localUrl(config)}${invitationPath(token)}`,
    get serviceAccounts() {
      return audited(serviceAccounts(), serviceAccountRules, log, actor)
    },
    ltiLink: token => `${config.Integration.PublicUrl || localUrl(config)}/lti/register?token=${token}`,
    get lti() {
      const service = new LtiAdminService({
        store: platformStore(main.db),
        accounts: serviceAccounts(),
        isEnabled: config.Lti.Enabled,
        clock,
      })
      return audited(service, ltiRules, log, actor)
    },
    get webhooks() {
      const webhooks = activeWhileUsable(webhookStore(module()), async id => isActive(await store.find(id)))
      const service = new WebhookAdminService(deliveryStore(module()), webhooks, clock)
      return audited(service, webhookRules, log, actor)
    },
    copyFiles: async (folder, onProgress) => {
      const settings = s3Settings(config.Storage)
      if (!settings) throw new OperatorError('Set [Storage] Url to the bucket first: s3://BUCKET/PREFIX.')
      const { copyFolder } = await import('./records/storage/s3/copy-folder.ts')
      return copyFolder({ folder, settings, index: blobIndex(main.db), onProgress })
    },
    newestBackupMs: auditStore(main.db).newestBackupMs,
    adminToken: async () => {
      if (!keys.configured) throw new OperatorError('Set [Server] JwtSecret first: it signs all tokens.')
      return new Jwt(keys, clock).sign('lectern:operator', { sub: actor.name }, 60)
    },
    close: async () => {
      mailer?.close()
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
  /** Rejects with the reason if the mail server does not accept it. Without [Mail], reading the property throws OperatorError. */
  readonly mailInvitation: (
    to: string,
    invitation: { user: Pick<User, 'login' | 'displayName' | 'language'>; link: string; expiresAt: number },
  ) => Promise<void>
  transcripts: MethodsOf<TranscriptAdminService>
  push: MethodsOf<PushAdminService>
  /** Throws OperatorError while the integration module is disabled. */
  readonly serviceAccounts: MethodsOf<ServiceAccountAdminService>
  /** The registration link of an invitation's token: a secret. */
  ltiLink(token: string): string
  /** Throws OperatorError while the integration module is disabled. */
  readonly lti: MethodsOf<LtiAdminService>
  /** Throws OperatorError while the integration module is disabled. */
  readonly webhooks: MethodsOf<WebhookAdminService>
  /** Copies the files of a folder to the configured bucket. Throws OperatorError when none is configured. */
  copyFiles(folder: string, onProgress: (progress: CopyProgress) => void): Promise<CopyProgress>
  /** When the newest complete backup was begun; null if there is none. */
  newestBackupMs(): Promise<number | null>
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

/** The name of the installation; null without JwtSecret. */
export const deploymentIdOf = ({ Server }: Config): string | null => new Keys(Server.JwtSecret).deploymentId

/** The client of NATS is loaded when it is needed. */
const checkNats = (ca: string) => async (address: NatsAddress) =>
  (await import('./cluster/network/nats-connection.ts')).checkNats(address, ca)

const checkIssuer = (config: Config): Promise<string | null> =>
  discover(providerSettings(config)).then(() => null, reasonOf)

const checkBucket = async ({ Storage }: Config): Promise<string | null> => {
  const settings = s3Settings(Storage)
  if (!settings) return null
  const { faultOfBucket } = await import('./records/storage/s3/check.ts')
  return faultOfBucket(settings)
}

const checkMail = async ({ Mail }: Config): Promise<string | null> => {
  const { Mailer } = await import('./platform/mail/mailer.ts')
  const mailer = new Mailer(mailerSettings(Mail))
  return mailer.check().finally(() => mailer.close())
}

const scan: Probes['scan'] = async (address, bytes) => {
  const { Clamd } = await import('./records/files/clamd.ts')
  return new Clamd({ address }).scan(async () => chunksOf(bytes))
}

/** The converter itself tries it, as the server starts it. */
const checkOffice: Probes['checkOffice'] = async () => {
  const { faultOfOffice } = await import('./compose/office-check.ts')
  return faultOfOffice()
}

async function* chunksOf(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += SCAN_CHUNK_BYTES) yield bytes.subarray(at, at + SCAN_CHUNK_BYTES)
}

const SCAN_CHUNK_BYTES = 256 * 1024

/** The driver of PostgreSQL is loaded when it is needed. */
const inspectDatabase = async (url: string) =>
  (await import('./platform/db/postgres/inspect.ts')).inspectPostgres(url)

async function readRecords(config: Config) {
  const operator = await openOperator(config)
  try {
    const serviceAccounts = config.Integration.Enabled ? await operator.serviceAccounts.list() : []
    return {
      users: await operator.users.list(),
      serviceAccounts,
      newestBackupMs: await operator.newestBackupMs(),
    }
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
  checkMail,
  scan,
  checkOffice,
  deploymentId: deploymentIdOf,
  turnServers: config => {
    const keys = new Keys(config.Server.JwtSecret)
    return { ...turnSettings(config, keys), isEmbedded: embedsTurn(config, keys) }
  },
  turnCredentials: secret =>
    turnCredentials(secret, 'doctor', Math.floor(Date.now() / 1000) + DOCTOR_TURN_SECONDS),
}

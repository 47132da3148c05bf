import type { FastifyPluginAsync } from 'fastify'
import type { UserStore } from '../../accounts/stores/users.ts'
import type { Auth } from '../../http/authentication.ts'
import type { OwnRecordings } from '../../records/own-recordings.ts'
import type { Transcripts } from '../../records/transcripts.ts'
import type { AuditLog } from '../audit/audit-log.ts'
import type { UserAdminService } from '../operator/users.ts'
import type { AdministrationLists } from '../stores/administration.ts'
import type { AllSessions } from './all-sessions.ts'
import { useAuditing } from './auditing.ts'
import type { ConferenceNames } from './conference-names.ts'
import type { PartnerAdministration } from './partners.ts'
import { auditRoutes } from './routes/audit.ts'
import { clientSecretRoutes } from './routes/client-secrets.ts'
import { deliveryRoutes } from './routes/deliveries.ts'
import { jobRoutes } from './routes/jobs.ts'
import { partnerConsoleRoutes } from './routes/partner-console.ts'
import { partnerWebhookRoutes } from './routes/partner-webhook.ts'
import { pushRoutes } from './routes/push.ts'
import { recordingRoutes } from './routes/recordings.ts'
import { roomRoutes } from './routes/rooms.ts'
import { type ServerState, serverRoutes } from './routes/server.ts'
import { serviceAccountOwnerRoutes } from './routes/service-account-owners.ts'
import { serviceAccountRoutes } from './routes/service-accounts.ts'
import { sessionRoutes } from './routes/sessions.ts'
import { transcriptRoutes } from './routes/transcripts.ts'
import { userRoutes } from './routes/users.ts'
import type { LiveTranscription } from './transcription.ts'

export interface AdministrationParts {
  log: AuditLog
  /** The absolute URL of an invitation. */
  invitationUrl: (token: string) => string
  users: UserAdminService
  userStore: UserStore
  partners: PartnerAdministration
  lists: AdministrationLists
  sessions: AllSessions
  jobs: { cancel(jobId: string): Promise<boolean> }
  recordings: Pick<OwnRecordings, 'removeAny'>
  names: ConferenceNames
  ownerOf: (tag: string) => Promise<number | null>
  transcripts: Transcripts
  conferences: LiveTranscription
  push: Parameters<typeof pushRoutes>[0]['push']
  server: ServerState
}

/** The administration API. All of its routes need the capability admin, and audit what they change. */
export const administrationRoutes =
  (parts: AdministrationParts) =>
  (auth: Auth): FastifyPluginAsync =>
  async app => {
    const { log, users, userStore, partners, sessions, server } = parts
    useAuditing(app, log, { actorOf: auth.admin.callerOf.bind(auth.admin) })
    await app.register(serverRoutes({ auth, server }))
    await app.register(userRoutes({ auth, users, invitationUrl: parts.invitationUrl }))
    await app.register(serviceAccountRoutes({ auth, users: userStore, partners }))
    await app.register(serviceAccountOwnerRoutes({ auth, partners }))
    await app.register(clientSecretRoutes({ auth, partners }))
    await app.register(partnerConsoleRoutes({ auth, users: userStore, partners }))
    await app.register(partnerWebhookRoutes({ auth, partners }))
    await app.register(roomRoutes({ auth, users: userStore, partners }))
    await app.register(sessionRoutes({ auth, sessions }))
    await app.register(jobRoutes({ ...parts, auth }))
    await app.register(recordingRoutes({ ...parts, auth, users: userStore }))
    await app.register(transcriptRoutes({ ...parts, auth }))
    await app.register(deliveryRoutes({ auth, partners }))
    await app.register(pushRoutes({ auth, users: userStore, push: parts.push }))
    await app.register(auditRoutes({ auth, log }))
  }

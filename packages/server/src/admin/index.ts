import type { FastifyPluginAsync } from 'fastify'
import type { UserStore } from '../accounts/ports.ts'
import type { AuditLog } from '../audit/audit-log.ts'
import type { Auth } from '../http/authentication.ts'
import type { Transcripts } from '../records/transcripts.ts'
import { useAuditing } from './auditing.ts'
import type { PartnerAdministration } from './partners.ts'
import { auditRoutes } from './routes/audit.ts'
import { serviceAccountRoutes } from './routes/service-accounts.ts'
import { transcriptRoutes } from './routes/transcripts.ts'
import { userRoutes } from './routes/users.ts'
import type { LiveTranscription } from './transcription.ts'
import type { UserAdministration } from './users.ts'

export interface AdministrationParts {
  log: AuditLog
  users: UserAdministration
  userStore: UserStore
  partners: PartnerAdministration
  transcripts: Transcripts
  conferences: LiveTranscription
}

/** The administration API. All of its routes need the capability admin, and audit what they change. */
export const administrationRoutes =
  (parts: AdministrationParts) =>
  (auth: Auth): FastifyPluginAsync =>
  async app => {
    useAuditing(app, parts.log, auth)
    await app.register(userRoutes({ auth, users: parts.users }))
    await app.register(serviceAccountRoutes({ auth, users: parts.userStore, partners: parts.partners }))
    await app.register(transcriptRoutes({ ...parts, auth }))
    await app.register(auditRoutes({ auth, log: parts.log }))
  }

import type { FastifyPluginAsync } from 'fastify'
import type { Accounts } from '../accounts/accounts.ts'
import type { AuthSessions } from '../accounts/auth-sessions.ts'
import type { Invitations } from '../accounts/invitations.ts'
import type { Jwt } from '../accounts/jwt.ts'
import type { OwnAccount } from '../accounts/own-account.ts'
import type { PasswordLogin } from '../accounts/password-login.ts'
import type { PasswordReset } from '../accounts/password-reset.ts'
import { authRoutes } from '../accounts/routes/auth/routes.ts'
import { invitationRoutes } from '../accounts/routes/invitations/routes.ts'
import { meRoutes } from '../accounts/routes/me/routes.ts'
import { ssoRoutes } from '../accounts/routes/sso/routes.ts'
import { userRoutes } from '../accounts/routes/users/routes.ts'
import type { SingleSignOn } from '../accounts/sso/single-sign-on.ts'
import type { ControlServer } from '../control/control-server.ts'
import type { ControlRelay } from '../control/routes/relay.ts'
import { controlRoutes } from '../control/routes/routes.ts'
import type { Integration } from '../hooks.ts'
import { connectionTestRoutes, type Prober } from '../media/routes/connection-test/routes.ts'
import type { RequestPassing } from '../media/routes/whip/passing.ts'
import { whipRoutes } from '../media/routes/whip/routes.ts'
import type { HttpSessions } from '../media/whip/http-sessions.ts'
import type { Calendars } from '../messaging/calendar.ts'
import type { Directory } from '../messaging/directory/directory.ts'
import type { Members } from '../messaging/members.ts'
import type { Unsubscribing } from '../messaging/missed-calls/unsubscribing.ts'
import { calendarRoutes } from '../messaging/routes/calendar/routes.ts'
import { conferenceRoutes } from '../messaging/routes/conferences/routes.ts'
import { memberRoutes } from '../messaging/routes/members/routes.ts'
import { missedCallRoutes } from '../messaging/routes/missed-calls/routes.ts'
import type { ContactStore } from '../messaging/stores/contacts.ts'
import type { Config } from '../platform/config/index.ts'
import { sendfileSettings } from '../platform/config/sendfile.ts'
import type { Limits } from '../platform/route-limits.ts'
import type { Tracing } from '../platform/tracing.ts'
import type { Archive } from '../records/archive.ts'
import type { ConferenceFiles } from '../records/files/conference-files.ts'
import type { Jobs } from '../records/jobs/jobs.ts'
import type { OwnRecordings } from '../records/own-recordings.ts'
import type { BlobStore } from '../records/ports.ts'
import { blobRoutes } from '../records/routes/blobs/routes.ts'
import { blobSender } from '../records/routes/blobs/send.ts'
import { fileRoutes } from '../records/routes/files/routes.ts'
import { ownFileRoutes } from '../records/routes/own-recordings/file-routes.ts'
import { ownRecordingRoutes } from '../records/routes/own-recordings/routes.ts'
import { recordingRoutes } from '../records/routes/recordings/routes.ts'
import { uploadRoutes } from '../records/routes/uploads/routes.ts'
import type { Uploads } from '../records/uploads.ts'
import { type Auth, createAuth } from './authentication.ts'
import { serviceRoutes } from './service/routes.ts'

/** The base path of the partner API (docs/partner-api.md). */
const INTEGRATION_PREFIX = '/api/v1/integration'
/** And of its version 2 (docs/partner-api-v2.md). */
const INTEGRATION_PREFIX_2 = '/api/v2/integration'

export interface ApiParts {
  config: Config
  version: string
  accounts: Accounts
  passwordLogin: PasswordLogin
  ownAccount: OwnAccount
  invitations: Invitations
  /** Null: the server sends no mail, or people have no password. */
  passwordReset: PasswordReset | null
  singleSignOn: SingleSignOn | null
  sessions: AuthSessions
  integration: Integration
  directory: Directory
  publicUrl: () => string
  archive: Archive
  ownRecordings: OwnRecordings
  blobs: BlobStore
  uploads: Uploads
  files: ConferenceFiles
  members: Members
  calendars: Calendars
  contacts: Pick<ContactStore, 'search'>
  unsubscribing: Unsubscribing
  /** The routes below `/api/v1.0/admin`. */
  administration: (auth: Auth) => FastifyPluginAsync
  jobs: Jobs
  jwt: Jwt
  control: ControlServer
  deploymentId: string
  tracing: Tracing
  /** Null without a cluster. */
  relay: ControlRelay | null
  passing: RequestPassing | null
  whip: () => Promise<HttpSessions>
  probes: Prober
  isPushEnabled: boolean
  pushPublicKey: string
  limits: Limits
}

/** All routes of the HTTP API. */
export const apiRoutes =
  (parts: ApiParts): FastifyPluginAsync =>
  async app => {
    const { config, integration, limits } = parts
    const allowGuests = config.Conferences.AllowGuests
    const auth = createAuth(parts)
    const sendBlob = blobSender(parts.blobs, sendfileSettings(config))
    await app.register(
      async api => {
        const frameAncestors = config.Integration.FrameAncestors
        const signIn = signInMethods(parts)
        await api.register(serviceRoutes({ ...parts, allowGuests, frameAncestors, signIn }))
        await api.register(
          authRoutes({ ...parts, auth, allowGuests, hasPasswords: config.Oidc.PasswordSignIn }),
        )
        await api.register(meRoutes({ ...parts, auth }))
        await api.register(invitationRoutes(parts))
        await api.register(ssoRoutes({ ...parts, auth }))
        await api.register(conferenceRoutes({ ...parts, auth }))
        await api.register(calendarRoutes({ ...parts, auth }))
        await api.register(memberRoutes({ ...parts, auth }))
        await api.register(missedCallRoutes(parts))
        await api.register(userRoutes({ ...parts, auth, hasDirectory: config.Conferences.Directory }))
        await api.register(recordingRoutes({ ...parts, auth }))
        await api.register(ownRecordingRoutes({ ...parts, auth }))
        await api.register(fileRoutes({ ...parts, auth, sendBlob }))
        await api.register(ownFileRoutes({ ...parts, sendBlob }))
        await api.register(parts.administration(auth), { prefix: '/admin' })
        await api.register(connectionTestRoutes(parts))
        await api.register(whipRoutes(parts))
        await api.register(
          controlRoutes({
            control: parts.control,
            limits,
            publicUrl: config.Integration.PublicUrl,
            relay: parts.relay,
            tracing: parts.tracing,
          }),
        )
      },
      { prefix: '/api/v1.0' },
    )
    await app.register(blobRoutes({ ...parts, auth, sendBlob }), { prefix: '/api/storage' })
    await app.register(uploadRoutes({ ...parts, auth }), { prefix: '/api/storage' })
    if (integration.routes) await app.register(integration.routes(limits), { prefix: INTEGRATION_PREFIX })
    if (integration.routesOfVersion2)
      await app.register(integration.routesOfVersion2, { prefix: INTEGRATION_PREFIX_2 })
    if (integration.lti) await app.register(integration.lti(limits), { prefix: '/lti' })
  }

const signInMethods = ({
  config,
  singleSignOn,
  passwordReset,
}: Pick<ApiParts, 'config' | 'singleSignOn' | 'passwordReset'>) => ({
  password: config.Oidc.PasswordSignIn,
  password_reset: passwordReset !== null,
  sso: singleSignOn !== null,
  sso_name: singleSignOn?.name ?? '',
})

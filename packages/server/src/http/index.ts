import type { FastifyPluginAsync } from 'fastify'
import type { Accounts } from '../accounts/accounts.ts'
import type { Invitations } from '../accounts/invitations.ts'
import type { Jwt } from '../accounts/jwt.ts'
import type { OwnAccount } from '../accounts/own-account.ts'
import type { PasswordLogin } from '../accounts/password-login.ts'
import type { Sessions } from '../accounts/sessions.ts'
import type { Config } from '../config/index.ts'
import { sendfileSettings } from '../config/sendfile.ts'
import type { ControlServer } from '../control/control-server.ts'
import type { ContactStore } from '../db/messaging/contacts.ts'
import type { Directory } from '../directory/directory.ts'
import type { Integration } from '../hooks.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { Members } from '../messaging/members.ts'
import type { Archive } from '../records/archive.ts'
import type { OwnRecordings } from '../records/own-recordings.ts'
import type { BlobStore } from '../records/ports.ts'
import type { Uploads } from '../records/uploads.ts'
import type { Limits } from '../route-limits.ts'
import type { SingleSignOn } from '../sso/single-sign-on.ts'
import type { Tracing } from '../tracing.ts'
import type { HttpSessions } from '../whip/http-sessions.ts'
import { authRoutes } from './auth/routes.ts'
import { type Auth, createAuth } from './authentication.ts'
import { blobRoutes } from './blobs/routes.ts'
import { blobSender } from './blobs/send.ts'
import { conferenceRoutes } from './conferences/routes.ts'
import { connectionTestRoutes, type Prober } from './connection-test/routes.ts'
import type { ControlRelay } from './control/relay.ts'
import { controlRoutes } from './control/routes.ts'
import { invitationRoutes } from './invitations/routes.ts'
import { meRoutes } from './me/routes.ts'
import { memberRoutes } from './members/routes.ts'
import { ownFileRoutes } from './own-recordings/file-routes.ts'
import { ownRecordingRoutes } from './own-recordings/routes.ts'
import { recordingRoutes } from './recordings/routes.ts'
import { serviceRoutes } from './service/routes.ts'
import { ssoRoutes } from './sso/routes.ts'
import { uploadRoutes } from './uploads/routes.ts'
import { userRoutes } from './users/routes.ts'
import type { RequestPassing } from './whip/passing.ts'
import { whipRoutes } from './whip/routes.ts'

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
  singleSignOn: SingleSignOn | null
  sessions: Sessions
  integration: Integration
  directory: Directory
  publicUrl: () => string
  archive: Archive
  ownRecordings: OwnRecordings
  blobs: BlobStore
  uploads: Uploads
  members: Members
  contacts: Pick<ContactStore, 'search'>
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
        await api.register(authRoutes({ ...parts, auth, allowGuests }))
        await api.register(meRoutes({ ...parts, auth }))
        await api.register(invitationRoutes(parts))
        await api.register(ssoRoutes({ ...parts, auth }))
        await api.register(conferenceRoutes({ ...parts, auth }))
        await api.register(memberRoutes({ ...parts, auth }))
        await api.register(userRoutes({ ...parts, auth, hasDirectory: config.Conferences.Directory }))
        await api.register(recordingRoutes({ ...parts, auth }))
        await api.register(ownRecordingRoutes({ ...parts, auth }))
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
      await app.register(integration.routesOfVersion2(limits), { prefix: INTEGRATION_PREFIX_2 })
  }

const signInMethods = ({ config, singleSignOn }: Pick<ApiParts, 'config' | 'singleSignOn'>) => ({
  password: config.Oidc.PasswordSignIn,
  sso: singleSignOn !== null,
  sso_name: singleSignOn?.name ?? '',
})

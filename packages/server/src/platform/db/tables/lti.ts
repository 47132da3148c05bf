/** Tables of LTI 1.3 (docs/lti.md). */
export interface LtiTables {
  lti_invitations: LtiInvitationsTable
  lti_platforms: LtiPlatformsTable
  lti_keys: LtiKeysTable
  lti_logins: LtiLoginsTable
  lti_resources: LtiResourcesTable
  lti_grades: LtiGradesTable
}

/** Links for the registration of a platform, each for one. */
interface LtiInvitationsTable {
  token_hash: string
  /** The technical user whose rooms the platform will use. */
  client_id: number
  expires_at_ms: number
}

interface LtiPlatformsTable {
  id: string
  client_id: number
  issuer: string
  /** The id of this server at the platform. */
  lti_client_id: string
  name: string
  authorization_url: string
  token_url: string
  jwks_url: string
  created_at_ms: number
}

/** The key with which this server signs for platforms: one row. */
interface LtiKeysTable {
  id: number
  /** JSON */
  private_jwk: string
}

/** Launches that have begun. */
interface LtiLoginsTable {
  state_hash: string
  platform_id: string
  nonce: string
  /** The hash of the secret that the storage of the browser has. */
  binding_hash: string
  /** The frame with the storage of the platform. */
  storage_target: string | null
  /** JSON; null before the platform has answered. */
  claims: string | null
  expires_at_ms: number
}

/** The statements of a platform about the rooms that it opened. */
interface LtiResourcesTable {
  tag: string
  platform_id: string
  /** The address to which attendance is reported; null: none. */
  line_item: string | null
  /** The last session that has been reported. */
  graded_session_id: number
}

/** Attendance to report, or reported: the newest of each person. */
interface LtiGradesTable {
  id: string
  platform_id: string
  tag: string
  user: string
  line_item: string
  /** JSON */
  body: string
  status: string
  attempts: number
  next_attempt_at_ms: number | null
  lease: string | null
  response_status: number | null
  error: string | null
}

/** Accounts at identity providers, each of which signs one user in. A user has at most one at each provider. */
export interface ExternalIdentitiesTable {
  issuer: string
  /** The claim `sub`: identifies the account at the provider for ever. */
  subject: string
  user_id: number
  /** How the provider calls the account, for its owner to recognise. */
  label: string
  /** The display name that the provider gave last. */
  given_name: string
  created_at: number
  used_at: number
}

export interface SsoTables {
  external_identities: ExternalIdentitiesTable
}

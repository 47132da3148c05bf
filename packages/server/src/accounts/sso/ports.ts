/** An account at an identity provider, which signs one user in. */
export interface ExternalIdentity {
  issuer: string
  /** The claim `sub`: identifies the account at the provider for ever. */
  subject: string
  userId: number
  /** How the provider calls the account, for its owner to recognise. */
  label: string
  /** The display name that the provider gave last. */
  givenName: string
  createdAt: number
  usedAt: number
}

/** The claims of the provider about a person who signed in there. */
export interface ProviderProfile {
  issuer: string
  subject: string
  /** Empty where the provider gives none. */
  username: string
  email: string
  name: string
  /** A part of it could not be had this time. */
  isPartial: boolean
}

/** An authorization request of the code flow with PKCE (RFC 6749, RFC 7636, OpenID Connect Core 1.0). */
export interface AuthorizationRequest {
  redirectUri: string
  state: string
  nonce: string
  codeVerifier: string
}

/** The identity provider. Every method ends within seconds. Throws `identity_provider_unavailable`. */
export interface IdentityProvider {
  authorizationUrl(request: AuthorizationRequest): Promise<string>
  /**
   * Redeems the answer of the provider. Also throws `sign_in_cancelled` when the provider did not sign the person in, and
   * `sign_in_expired` when the answer was used before or is too old.
   */
  redeem(query: string, request: AuthorizationRequest): Promise<ProviderProfile>
}

import { Identities } from '../accounts/sso/identities.ts'
import { OidcProvider, type ProviderSettings } from '../accounts/sso/provider.ts'
import { SingleSignOn } from '../accounts/sso/single-sign-on.ts'
import type { Config } from '../platform/config/index.ts'
import type { AccountsPart } from './accounts.ts'
import type { ServerContext } from './context.ts'
import type { Stores } from './stores.ts'

/** Sign-in at the configured identity provider; null without one. */
export function composeSso(
  { config, clock, monotonicMs, log, url }: ServerContext,
  { users, externalIdentities }: Stores,
  { accounts, ownAccount, jwt, keys }: AccountsPart,
): SingleSignOn | null {
  const { Oidc } = config
  if (Oidc.Issuer === '') return null
  const provider = new OidcProvider({ settings: providerSettings(config), clock: monotonicMs, log })
  // An operator sees in the log at the start that the provider cannot be reached; sign-ins retry.
  void provider.discover().catch(() => {})
  return new SingleSignOn({
    name: Oidc.Name,
    issuer: Oidc.Issuer,
    provider,
    identities: new Identities({
      store: externalIdentities,
      users,
      accounts,
      clock,
      signUp: Oidc.SignUp,
      linkByLogin: Oidc.LinkByLogin,
    }),
    store: externalIdentities,
    jwt,
    keys,
    publicUrl: url.public,
    hasPassword: ownAccount.hasPassword,
  })
}

export const providerSettings = ({ Oidc }: Config): ProviderSettings => ({
  issuer: Oidc.Issuer,
  clientId: Oidc.ClientId,
  clientSecret: Oidc.ClientSecret,
  scopes: Oidc.Scopes,
  allowInsecure: Oidc.AllowInsecureIssuer,
})

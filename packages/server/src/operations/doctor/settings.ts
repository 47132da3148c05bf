import { type Check, fail, ok, warn } from './check.ts'

export const jwtSecret: Check = ({ config }) => {
  const todo = 'Set [Server] JwtSecret to the output of "openssl rand -base64 32".'
  if (config.Server.JwtSecret === '') return fail('Not set: sign-in and partner tokens are disabled.', todo)
  const { AcceptedJwtSecrets, AcceptedJwtSecretsUntil } = config.Server
  if (AcceptedJwtSecrets.length === 0) return ok('Set.')
  const until = new Date(AcceptedJwtSecretsUntil ?? 0)
  const others = `${AcceptedJwtSecrets.length} further`
  return until.getTime() > Date.now()
    ? ok(`Set; ${others} accepted until ${until.toISOString()}.`)
    : warn(
        `Set; ${others} no longer accepted since ${until.toISOString()}.`,
        'Remove AcceptedJwtSecrets and AcceptedJwtSecretsUntil.',
      )
}

/** Settings that weaken the protection of this server or its network. */
export const developmentSettings: Check = ({ config: { Integration, Oidc, Push } }) => {
  const set = [
    Integration.AllowInsecureWebhooks && '[Integration] AllowInsecureWebhooks',
    Oidc.AllowInsecureIssuer && '[Oidc] AllowInsecureIssuer',
    Push.AllowInsecureEndpoints && '[Push] AllowInsecureEndpoints',
  ].filter(Boolean)
  if (set.length === 0) return ok('None.')
  return warn(
    `${set.join(', ')}: for development. Others can make the server call addresses of its own network, or read along.`,
    `Remove ${set.length > 1 ? 'them' : 'it'} from the configuration.`,
  )
}

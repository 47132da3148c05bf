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

/** Settings that weaken the protection of this server or its network, in whatever section. */
export const developmentSettings: Check = ({ config }) => {
  const set = Object.entries(config).flatMap(([section, values]) =>
    Object.entries(values as object)
      .filter(([name, value]) => name.startsWith('AllowInsecure') && value === true)
      .map(([name]) => `[${section}] ${name}`),
  )
  if (set.length === 0) return ok('None.')
  return warn(
    `${set.join(', ')}: for development. Others can make the server call addresses of its own network, or read along.`,
    `Remove ${set.length > 1 ? 'them' : 'it'} from the configuration.`,
  )
}

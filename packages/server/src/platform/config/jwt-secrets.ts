import { ConfigError } from './ini.ts'

interface Settings {
  readonly JwtSecret: string
  readonly AcceptedJwtSecrets: readonly string[]
  readonly AcceptedJwtSecretsUntil: number | null
}

/** Throws a ConfigError if the keys contradict each other. */
export function checkAcceptedSecrets(server: Settings): void {
  const { JwtSecret, AcceptedJwtSecrets, AcceptedJwtSecretsUntil } = server
  const isUsed = AcceptedJwtSecrets.length > 0
  if (isUsed !== (AcceptedJwtSecretsUntil !== null))
    throw new ConfigError(
      '[Server] AcceptedJwtSecrets and AcceptedJwtSecretsUntil go together: set both or none',
    )
  if (isUsed && JwtSecret === '') throw new ConfigError('[Server] AcceptedJwtSecrets needs a JwtSecret')
}

/** The secrets that verify beside JwtSecret, and until when. */
export const acceptedSecrets = (server: Settings) => ({
  secrets: server.AcceptedJwtSecrets,
  until: server.AcceptedJwtSecretsUntil ?? 0,
})

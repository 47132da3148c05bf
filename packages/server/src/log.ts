import { type DestinationStream, destination, type Logger, pino } from 'pino'

/** Names under which a secret could reach a log record, at the top or one level down. */
const SECRETS = [
  'authorization',
  'password',
  'secret',
  'client_secret',
  'access_token',
  'refresh_token',
  'token',
]

/**
 * JSON lines on standard error: standard output belongs to what commands print. Request addresses are never
 * logged, because they hold join links; see http/request-log.ts.
 */
export function createLog(level: string, stream: DestinationStream = destination(2)): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: label => ({ level: label }) },
      redact: { paths: SECRETS.flatMap(name => [name, `*.${name}`]), censor: '[redacted]' },
    },
    stream,
  )
}

import { type DestinationStream, destination, type Logger, pino } from 'pino'

/** Redacted field names, at the top level of a log record and one level below. */
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
 * Logs JSON lines to standard error; standard output is for the output of commands. URLs of requests are never logged,
 * because they contain join links (http/request-log.ts).
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

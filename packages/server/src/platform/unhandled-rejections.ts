import type { Logger } from 'pino'

/**
 * Logs what was rejected and handled by nobody, which is a bug; without this, Node ends the process, and with it what
 * everybody else is doing. Returns what ends the logging.
 */
export function logUnhandledRejections(log: Pick<Logger, 'error'>): () => void {
  const report = (error: unknown) =>
    log.error({ err: error }, 'an error was not handled: a fault of Lectern, please report it')
  process.on('unhandledRejection', report)
  return () => process.off('unhandledRejection', report)
}

import type { Config } from '@lectern/server/operator'
import { CliError } from './errors.ts'

/**
 * Explains why a server cannot listen, and what to do; `remedy` says how to use another port. Other errors are
 * returned unchanged.
 */
export const explainStart = (error: unknown, { Server }: Config, remedy: string): unknown =>
  explainListening(error, Server, 'Server', remedy)

/** The same for the address in another section of the configuration. */
export function explainListening(
  error: unknown,
  { Host, Port }: { Host: string; Port: number },
  section: string,
  remedy: string,
): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException
  const where = `Cannot listen on ${Host}:${Port}`
  if (code === 'EADDRINUSE')
    return new CliError(`${where}: the port is in use by another program or another Lectern. ${remedy}`)
  if (code === 'EACCES' && syscall === 'listen')
    return new CliError(`${where}: this user is not allowed to use ports below 1024. ${remedy}`)
  if (code === 'EADDRNOTAVAIL' || syscall === 'getaddrinfo')
    return new CliError(`${where}: this machine does not have that address. Change [${section}] Host.`)
  return error
}

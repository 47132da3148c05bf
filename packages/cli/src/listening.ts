import type { Config } from '@lectern/server/operator'
import { CliError } from './errors.ts'

/**
 * Explains why a server cannot listen, and what to do; `remedy` says how to use another port. Other errors are
 * returned unchanged.
 */
export function explainStart(error: unknown, { Server: { Host, Port } }: Config, remedy: string): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException
  const where = `Cannot listen on ${Host}:${Port}`
  if (code === 'EADDRINUSE')
    return new CliError(`${where}: the port is in use by another program or another Lectern. ${remedy}`)
  if (code === 'EACCES' && syscall === 'listen')
    return new CliError(`${where}: this user is not allowed to use ports below 1024. ${remedy}`)
  if (code === 'EADDRNOTAVAIL' || syscall === 'getaddrinfo')
    return new CliError(`${where}: this machine does not have that address. Change [Server] Host.`)
  return error
}

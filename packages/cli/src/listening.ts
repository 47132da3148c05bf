import type { Config } from '@lectern/server/operator'
import { CliError } from './errors.ts'

/**
 * What can be done about a server that cannot listen; `remedy` tells how to take another port. Other errors are
 * given back as they are.
 */
export function explainStart(error: unknown, { Server: { Host, Port } }: Config, remedy: string): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException
  const where = `Cannot listen on ${Host}:${Port}`
  if (code === 'EADDRINUSE')
    return new CliError(`${where}: another program, or another Lectern, has that port. ${remedy}`)
  if (code === 'EACCES' && syscall === 'listen')
    return new CliError(`${where}: this user may not use ports below 1024. ${remedy}`)
  if (code === 'EADDRNOTAVAIL' || syscall === 'getaddrinfo')
    return new CliError(`${where}: this machine has no such address. Change [Server] Host.`)
  return error
}

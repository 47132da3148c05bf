import { systemUser } from '../../platform/system-user.ts'
import type { Actor } from '../audit/ports.ts'

/** The actor of a command. */
export function commandLineActor(): Actor {
  return { kind: 'command_line', name: systemUser(), address: null }
}

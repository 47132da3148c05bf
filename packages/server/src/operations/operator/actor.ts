import { systemUser } from '../../platform/system-user.ts'
import type { Actor } from '../audit/ports.ts'

/** Who runs a command. */
export function commandLineActor(): Actor {
  return { kind: 'command_line', name: systemUser(), address: null }
}

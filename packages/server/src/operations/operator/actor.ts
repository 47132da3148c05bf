import { userInfo } from 'node:os'
import type { Actor } from '../audit/ports.ts'

/** The user of the operating system who runs a command. A container may have none. */
export function commandLineActor(): Actor {
  return { kind: 'command_line', name: systemUser(), address: null }
}

function systemUser(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.() ?? '?'}`
  }
}

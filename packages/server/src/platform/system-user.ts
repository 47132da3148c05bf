import { userInfo } from 'node:os'

/** The user of the operating system who runs this process. A container may have none. */
export function systemUser(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.() ?? '?'}`
  }
}

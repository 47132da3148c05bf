import { systemUser } from './system-user.ts'

/**
 * Why a file or folder cannot be used, as the end of a sentence "PATH: …"; null if the error is about something else. It names
 * the user: a command that root calls may act as another one.
 */
export function fileProblem(error: unknown): string | null {
  const { code, syscall } = error as NodeJS.ErrnoException
  if (syscall?.startsWith('spawn')) return null
  switch (code) {
    case 'ENOENT':
      return 'there is no such file or folder'
    case 'EACCES':
    case 'EPERM':
      return `the user ${systemUser()} is not allowed to use it`
    case 'EISDIR':
      return 'this is a folder, not a file'
    case 'ENOTDIR':
      return 'it is in a file, not in a folder'
    case 'EEXIST':
      return 'there is a file of that name'
    case 'ENOSPC':
    case 'EDQUOT':
      return 'the disk is full'
    case 'EROFS':
      return 'the disk is read-only'
    default:
      return null
  }
}

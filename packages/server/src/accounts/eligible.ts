import { hasOwnLogin } from './partner-person.ts'
import type { User } from './ports.ts'

/** Whether the account has contacts and conversations: guests, programs and people of partners have none. */
export const isUser = (user: Pick<User, 'kind' | 'login'>): boolean =>
  user.kind === 'ordinary' && hasOwnLogin(user)

/** Whether the account exists, and is neither deleted nor disabled. */
export const isActive = (user: User | null): boolean =>
  user !== null && user.deletedAt === null && user.disabledAt === null

import type { Config } from '../config/index.ts'

/** What a check found, in words for an operator. What is not fine comes with what to do about it. */
export type Finding = { status: 'ok'; says: string } | { status: 'warn' | 'fail'; says: string; todo: string }

/** What is examined. */
export interface Subject {
  config: Config
  records: Records | Unreadable
}

/** What the stores hold, as far as the checks look at it; empty before the first start. */
export interface Records {
  users: { createdAt: number }[]
  serviceAccounts: { name: string; secretHash: string; createdAt: number }[]
}

interface Unreadable {
  error: Error
}

export type Check = (subject: Subject) => Finding | Promise<Finding>

export const ok = (says: string): Finding => ({ status: 'ok', says })
export const warn = (says: string, todo: string): Finding => ({ status: 'warn', says, todo })
export const fail = (says: string, todo: string): Finding => ({ status: 'fail', says, todo })

/** For checks that look into the stores, when that is not possible. */
export const notLooked = warn('Not checked, because the stores cannot be opened.', 'Mend the stores first.')

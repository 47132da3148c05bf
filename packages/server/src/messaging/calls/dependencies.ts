import type { CallStore } from '../stores/calls.ts'
import type {
  CallConferences,
  CallNotifier,
  CallPermissions,
  CallPresence,
  CallSessions,
  CallSupervision,
  CallUsers,
} from './ports.ts'

export interface CallParts {
  store: CallStore
  supervision: CallSupervision
  permissions: CallPermissions
  presence: CallPresence
  sessions: CallSessions
  conferences: CallConferences
  users: CallUsers
  notifier: CallNotifier
  /** How often an account may ring. 0, or the milliseconds until it may ring these people. */
  invitations: { take(inviterId: number, userIds: readonly number[]): number }
  clock: () => number
  ringMs: number
}

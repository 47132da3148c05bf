import type { SessionDependencies } from './ports.ts'
import { ConferenceRefusal } from './refusals.ts'

/** What has to be true when a command runs (rules PRE-1 to PRE-3). */
export interface Conditions {
  expectedVersion?: string | undefined
  /** In milliseconds of the clock. */
  startBy?: number | undefined
}

export function assertConditions(
  { clock }: Pick<SessionDependencies, 'clock'>,
  version: number,
  { expectedVersion, startBy }: Conditions,
): void {
  if (startBy !== undefined && clock() > startBy) throw new ConferenceRefusal('too_late')
  if (expectedVersion !== undefined && expectedVersion !== String(version))
    throw new ConferenceRefusal('other_version')
}

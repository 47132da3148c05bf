import type { SessionDependencies } from './ports.ts'
import { ConferenceRefusal } from './refusals.ts'

/** Under what conditions somebody still wants what they asked for. To be looked at within the turn. */
export interface Conditions {
  expectedVersion?: string | undefined
  /** In milliseconds of the clock. */
  startBy?: number | undefined
}

export function unmet(
  { clock }: SessionDependencies,
  version: number,
  { expectedVersion, startBy }: Conditions,
): 'too_late' | 'other_version' | null {
  if (startBy !== undefined && clock() > startBy) return 'too_late'
  return expectedVersion !== undefined && expectedVersion !== String(version) ? 'other_version' : null
}

export function demandConditions(deps: SessionDependencies, version: number, conditions: Conditions): void {
  const reason = unmet(deps, version, conditions)
  if (reason) throw new ConferenceRefusal(reason)
}

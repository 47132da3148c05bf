import { ensure } from '@lectern/protocol'
import type { Command } from './command.ts'

/** Rule K6. Null: the target has no version, so that none can be expected. */
export function assertVersion({ expectedVersion }: Command, version: number | null): void {
  if (expectedVersion === undefined) return
  ensure(version !== null, 'no_version')
  ensure(expectedVersion === String(version), 'other_version')
}

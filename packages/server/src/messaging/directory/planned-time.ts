import { formatUtc } from '@lectern/protocol'

/** Formats an ISO 8601 time; null without one. */
export const toUtc = (ms: number | null | undefined): string | null =>
  ms === null || ms === undefined ? null : formatUtc(ms)

/**
 * Compares counters: unsigned 64-bit integers as canonical decimal strings (docs/control-protocol.md#envelopes).
 */
export const isAfter = (a: string, b: string) => (a.length === b.length ? a > b : a.length > b.length)

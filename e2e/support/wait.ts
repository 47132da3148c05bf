import { pollUntil } from '@lectern/common'

/** Looks again and again until there is something to see. */
export async function waitFor<T>(
  look: () => T | Promise<T>,
  what: string,
  withinMs = 30_000,
): Promise<NonNullable<T>> {
  const seen = await pollUntil(look, { intervalMs: 20, timeoutMs: withinMs })
  if (!seen) throw new Error(`Waited ${withinMs} ms in vain until ${what}.`)
  return seen
}

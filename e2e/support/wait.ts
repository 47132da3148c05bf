import { pollUntil } from '@lectern/common'

/** In milliseconds. It ends what hangs: how long something takes depends on the machine, and bench/ measures it. */
export const HANGS_AFTER_MS = 150_000

/** Polls until the result is truthy. */
export async function waitFor<T>(
  poll: () => T | Promise<T>,
  description: string,
  timeoutMs = HANGS_AFTER_MS,
): Promise<NonNullable<T>> {
  const result = await pollUntil(poll, { intervalMs: 20, maxIntervalMs: 200, timeoutMs })
  if (!result) throw new Error(`Timed out after ${timeoutMs} ms waiting until ${description}.`)
  return result
}

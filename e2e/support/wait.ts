import { pollUntil } from '@lectern/common'

/** Polls until the result is truthy. */
export async function waitFor<T>(
  poll: () => T | Promise<T>,
  description: string,
  timeoutMs = 30_000,
): Promise<NonNullable<T>> {
  const result = await pollUntil(poll, { intervalMs: 20, timeoutMs })
  if (!result) throw new Error(`Timed out after ${timeoutMs} ms waiting until ${description}.`)
  return result
}

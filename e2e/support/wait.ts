import { setTimeout as sleep } from 'node:timers/promises'

/** Looks again and again until there is something to see. */
export async function waitFor<T>(
  look: () => T | Promise<T>,
  what: string,
  withinMs = 30_000,
): Promise<NonNullable<T>> {
  const deadline = Date.now() + withinMs
  for (;;) {
    const seen = await look()
    if (seen) return seen
    if (Date.now() > deadline) throw new Error(`Waited ${withinMs} ms in vain until ${what}.`)
    await sleep(20)
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { HeldJob } from '@lectern/worker-kit'
import { nowMs } from '../clock/now.ts'
import type { Witness } from './witness.ts'

/** How often it is looked whether there is something to do. */
const TICK_MS = 500

/** The end of the session and the wish to stop come on two ways: the one that says more is waited for. */
const WHY_WITHIN_MS = 1000
const VIEW_WITHIN_MS = 3000

/** Resolves when the session is over, or this process or the job is to end. `tick` is called until then. */
export async function attend(held: HeldJob, witness: Witness, tick: () => Promise<void>): Promise<void> {
  const ends = AbortSignal.any([held.stop, held.drain])
  while (!ends.aborted && !witness.isEnded) {
    await tick()
    await sleep(TICK_MS, null, { signal: ends }).catch(() => {})
  }
  if (witness.isEnded || held.stop.reason === 'lost' || held.drain.aborted) return
  await until(() => witness.isEnded, WHY_WITHIN_MS)
  await until(() => witness.isEnded || held.session() !== null, VIEW_WITHIN_MS)
  witness.look()
}

/**
 * When the recording ended, and why: who stops a session's recording is a moderator, when the session goes on. Nobody wants to see an empty room: it ends with the last one in it. Who was away when the
 * session ended knows only what was there until then: `lastKnownMs`.
 */
export async function endOf(held: HeldJob, witness: Witness, lastKnownMs: () => Promise<number>) {
  const goesOn = !witness.isEnded && held.session() !== null
  const overMs = goesOn ? nowMs() : (witness.endedAtMs ?? (await lastKnownMs()))
  return {
    atMs: Math.round(Math.min(overMs, witness.emptySinceMs ?? overMs)),
    status: goesOn ? ('stopped' as const) : ('completed' as const),
  }
}

async function until(isTrue: () => boolean, withinMs: number) {
  for (let waited = 0; !isTrue() && waited < withinMs; waited += 50) await sleep(50)
}

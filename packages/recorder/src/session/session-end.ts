import { setTimeout as sleep } from 'node:timers/promises'
import type { HeldJob } from '@lectern/worker-kit'
import { nowMs } from '../clock/now.ts'
import type { AttendanceLog } from './attendance-log.ts'

/** Interval of the periodic work. */
const TICK_MS = 500

/** The end of the session and the stop request arrive on two connections; wait for the more specific one. */
const END_REASON_TIMEOUT_MS = 1000
const VIEW_TIMEOUT_MS = 3000

/** Resolves when the session ends or the job must stop. Calls `tick` periodically until then. */
export async function untilSessionEnds(
  held: HeldJob,
  attendance: AttendanceLog,
  tick: () => Promise<void>,
): Promise<void> {
  const ends = AbortSignal.any([held.stop, held.drain])
  while (!ends.aborted && !attendance.isEnded) {
    await tick()
    await sleep(TICK_MS, null, { signal: ends }).catch(() => {})
  }
  if (attendance.isEnded || held.stop.reason === 'lost' || held.drain.aborted) return
  await waitUntil(() => attendance.isEnded, END_REASON_TIMEOUT_MS)
  await waitUntil(() => attendance.isEnded || held.session() !== null, VIEW_TIMEOUT_MS)
  attendance.refresh()
}

/**
 * The time and the reason of the end: `stopped` if the session continues, by a moderator. An empty room is not
 * recorded: the recording ends when the last participant leaves. `lastKnownMs` is the fallback if the end itself was
 * not observed.
 */
export async function recordingEnd(
  held: HeldJob,
  attendance: AttendanceLog,
  lastKnownMs: () => Promise<number>,
) {
  const continues = !attendance.isEnded && held.session() !== null
  const overMs = continues ? nowMs() : (attendance.endedAtMs ?? (await lastKnownMs()))
  return {
    atMs: Math.round(Math.min(overMs, attendance.emptySinceMs ?? overMs)),
    status: continues ? ('stopped' as const) : ('completed' as const),
  }
}

async function waitUntil(isTrue: () => boolean, withinMs: number) {
  for (let waited = 0; !isTrue() && waited < withinMs; waited += 50) await sleep(50)
}

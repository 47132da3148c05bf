/** Milliseconds since the Unix epoch. Injected, so that tests control the time. */
export type Clock = () => number

/** A clock for durations within this process: `clock`, but when that is set back, this one goes on from where it was. */
export function steadyClock(clock: Clock): Clock {
  let lastMs = clock()
  let steadyMs = lastMs
  return () => {
    const nowMs = clock()
    steadyMs += Math.max(0, nowMs - lastMs)
    lastMs = nowMs
    return steadyMs
  }
}

export const unixSeconds = (clock: Clock): number => Math.floor(clock() / 1000)

/** Unix milliseconds from a monotonic clock, the one of the worker kit: adjusting the system clock has no effect. */
export const nowMs = () => performance.timeOrigin + performance.now()

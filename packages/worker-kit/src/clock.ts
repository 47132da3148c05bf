/** Unix milliseconds with fractions, monotonic: the offset is fixed when the process starts. */
export const nowMs = () => performance.timeOrigin + performance.now()

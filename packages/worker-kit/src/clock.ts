/** Unix milliseconds with fractions. The clock was set when this process began, and never goes back. */
export const nowMs = () => performance.timeOrigin + performance.now()

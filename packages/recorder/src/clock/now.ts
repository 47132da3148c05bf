/** Unix milliseconds on the clock of the kit's moments: it does not leap when the machine's clock is set. */
export const nowMs = () => performance.timeOrigin + performance.now()

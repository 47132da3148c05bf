/** Milliseconds since the Unix epoch. Injected, so that tests control the time. */
export type Clock = () => number

export const unixSeconds = (clock: Clock): number => Math.floor(clock() / 1000)

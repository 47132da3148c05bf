/** Milliseconds since 1970. Injected, so that tests can move time. */
export type Clock = () => number

export const unixSeconds = (clock: Clock): number => Math.floor(clock() / 1000)

/** Callers that come while `work` is running share its result; the next caller starts it again. */
export function singleFlight<Args extends unknown[], T>(
  work: (...args: Args) => Promise<T>,
): (...args: Args) => Promise<T> {
  let running: Promise<T> | null = null
  return (...args) => {
    running ??= work(...args).finally(() => {
      running = null
    })
    return running
  }
}

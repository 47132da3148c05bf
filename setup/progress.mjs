const TICK_MS = 10_000

/**
 * Runs a step and prints its start, its progress every 10 s and its end. `work` receives a function that reports
 * progress details. `about` is printed at the start. A step that is shorter than `silentMs` prints nothing.
 *
 * @template T
 * @param {string} title such as "Installing npm packages"
 * @param {(report: (detail: string) => void) => Promise<T>} work
 * @param {{ about?: string, silentMs?: number }} [options]
 * @returns {Promise<T>}
 */
export async function step(title, work, { about, silentMs = 0 } = {}) {
  const seconds = stopwatch()
  let isAnnounced = false
  let detail = ''

  const begin = () => {
    isAnnounced = true
    console.log(`${about ? `${title}: ${about}` : title}…`)
  }
  if (silentMs === 0) begin()
  const startTimer = silentMs > 0 && setTimeout(begin, silentMs)
  const ticker = setInterval(() => {
    console.log(`  still ${lowerFirst(title)}, ${Math.round(seconds())} s${detail && ` ${detail}`}`)
  }, TICK_MS)

  try {
    const result = await work(text => {
      detail = text
    })
    if (isAnnounced) console.log(`  done ${lowerFirst(title)} in ${inSeconds(seconds())}`)
    return result
  } finally {
    clearTimeout(startTimer)
    clearInterval(ticker)
  }
}

/** Returns a function that returns the seconds since this call. */
export function stopwatch() {
  const start = performance.now()
  return () => (performance.now() - start) / 1000
}

/** @param {number} seconds */
export const inSeconds = seconds => `${seconds.toFixed(1)} s`

/** @param {string} text */
const lowerFirst = text => text[0].toLowerCase() + text.slice(1)

const TICK_MS = 10_000

/**
 * Does a step that may take long: says when it begins, that it still goes on, and when it is done.
 * `work` gets a function to tell how far it is. `about` is said once, at the beginning. With `silentMs`, a step
 * that is over sooner says nothing.
 *
 * @template T
 * @param {string} title such as "Installing npm packages"
 * @param {(tell: (detail: string) => void) => Promise<T>} work
 * @param {{ about?: string, silentMs?: number }} [options]
 * @returns {Promise<T>}
 */
export async function step(title, work, { about, silentMs = 0 } = {}) {
  const seconds = stopwatch()
  let said = false
  let detail = ''

  const begin = () => {
    said = true
    console.log(`${about ? `${title}: ${about}` : title}…`)
  }
  if (silentMs === 0) begin()
  const beginLater = silentMs > 0 && setTimeout(begin, silentMs)
  const ticking = setInterval(() => {
    console.log(`  still ${lowerFirst(title)}, ${Math.round(seconds())} s${detail && ` ${detail}`}`)
  }, TICK_MS)

  try {
    const result = await work(text => {
      detail = text
    })
    if (said) console.log(`  done in ${inSeconds(seconds())}`)
    return result
  } finally {
    clearTimeout(beginLater)
    clearInterval(ticking)
  }
}

/** Returns a function that tells the seconds since now. */
export function stopwatch() {
  const start = performance.now()
  return () => (performance.now() - start) / 1000
}

/** @param {number} seconds */
export const inSeconds = seconds => `${seconds.toFixed(1)} s`

/** @param {string} text */
const lowerFirst = text => text[0].toLowerCase() + text.slice(1)

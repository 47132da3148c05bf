/** How often a step is reported where lines cannot be rewritten. */
const REPORT_MS = 30_000
const REDRAW_MS = 1_000

const isTerminal = Boolean(process.stdout.isTTY)

/** Steps that run now, in the order of their start. @type {Set<{ title: string, detail: string, seconds: () => number }>} */
const running = new Set()
let drawnLines = 0

/** Whether a step has run: otherwise there was nothing to do. */
export let hasWorked = false

/**
 * Runs a step and prints a line when it is done. Until then a terminal shows the running steps with their times; elsewhere
 * long steps are reported every 30 s. `work` receives a function that reports progress details.
 *
 * @template T
 * @param {string} title such as "Installing npm packages"
 * @param {(report: (detail: string) => void) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function step(title, work) {
  hasWorked = true
  const current = { title, detail: '', seconds: stopwatch() }
  running.add(current)
  const timer = isTerminal
    ? setInterval(redraw, REDRAW_MS)
    : setInterval(() => console.log(`${lineOf(current)}…`), REPORT_MS)
  if (isTerminal) redraw()
  try {
    const result = await work(detail => {
      current.detail = detail
    })
    current.detail = ''
    end(current)
    console.log(`${title}: ${inSeconds(current.seconds())}`)
    return result
  } finally {
    clearInterval(timer)
    end(current)
    if (isTerminal) redraw()
  }
}

/** Prints a line above those of the running steps. @param {string} line */
export function say(line) {
  clear()
  console.log(line)
  if (isTerminal) redraw()
}

/** @param {typeof running extends Set<infer S> ? S : never} current */
function end(current) {
  running.delete(current)
  clear()
}

function clear() {
  if (drawnLines > 0) process.stdout.write(`\x1b[${drawnLines}A\x1b[J`)
  drawnLines = 0
}

/** Long lines are cut: a wrapped one would be counted as one. */
function redraw() {
  clear()
  const width = process.stdout.columns || 80
  for (const each of running) process.stdout.write(`${lineOf(each).slice(0, width - 1)}\n`)
  drawnLines = running.size
}

/** @param {{ title: string, detail: string, seconds: () => number }} current */
const lineOf = ({ title, detail, seconds }) => `${title}: ${Math.round(seconds())} s${detail && ` ${detail}`}`

/** Returns a function that returns the seconds since this call. */
export function stopwatch() {
  const start = performance.now()
  return () => (performance.now() - start) / 1000
}

/** @param {number} seconds */
export const inSeconds = seconds => `${seconds.toFixed(1)} s`

let works = 0

const ask = (event: Event) => event.preventDefault()

/** While the work is not done, the browser asks before it closes or leaves the page: it would be lost without a word. */
export async function keepPageUntil<T>(work: Promise<T>): Promise<T> {
  if (works++ === 0) globalThis.addEventListener?.('beforeunload', ask)
  try {
    return await work
  } finally {
    if (--works === 0) globalThis.removeEventListener?.('beforeunload', ask)
  }
}

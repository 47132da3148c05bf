/** The first visible entry of a log, and where the log was then. */
export interface ScrollAnchor {
  id: string
  top: number
  scrollTop: number
  scrollHeight: number
}

/** A message counts as read when this much of its top is visible. */
const READ_PX = 24

export function anchorOf(log: HTMLElement): ScrollAnchor | null {
  const all = entriesOf(log)
  const element = all[findFirst(all, each => topIn(log, each) >= 0)]
  const { scrollTop, scrollHeight } = log
  return element ? { id: idOf(element), top: topIn(log, element), scrollTop, scrollHeight } : null
}

/** Undoes the movement of the anchor by what came or went above it, but not that by scrolling meanwhile. */
export function restoreAnchor(log: HTMLElement, anchor: ScrollAnchor | null): void {
  const element = anchor && entriesOf(log).find(each => idOf(each) === anchor.id)
  if (!element) return
  // The browser itself scrolls up where content has gone.
  const scrolled = log.scrollHeight < anchor.scrollHeight ? 0 : log.scrollTop - anchor.scrollTop
  log.scrollTop += topIn(log, element) - anchor.top + scrolled
}

/** The id of the newest message that is visible. */
export function lastVisible(log: HTMLElement): string | null {
  const all = entriesOf(log)
  const element = all[findFirst(all, each => topIn(log, each) + READ_PX > log.clientHeight) - 1]
  return element ? idOf(element) : null
}

const entriesOf = (log: HTMLElement) => [
  ...log.querySelectorAll<HTMLElement>('[data-message], [data-phrase]'),
]
const idOf = ({ dataset }: HTMLElement) => dataset.message ?? dataset.phrase ?? ''

const topIn = (log: HTMLElement, element: HTMLElement) =>
  element.getBoundingClientRect().top - log.getBoundingClientRect().top

/** The first index for which the condition is true, which is false before and true after it. */
function findFirst<T>(all: readonly T[], condition: (item: T) => boolean): number {
  let [low, high] = [0, all.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (condition(all[middle] as T)) high = middle
    else low = middle + 1
  }
  return low
}

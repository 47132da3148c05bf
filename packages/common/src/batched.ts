interface BatchOptions {
  /** Runs the next batch, e.g. `setImmediate`: items that are added until then are part of it. */
  schedule: (run: () => void) => void
  maxItems?: number
}

interface Waiting<Item, Result> {
  item: Item
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

/**
 * Groups items that arrive together into one call of `work`, which returns a result for each item in order. When it
 * rejects, every item of its batch does.
 */
export function batched<Item, Result>(
  work: (items: Item[]) => Promise<Result[]>,
  { schedule, maxItems = Number.POSITIVE_INFINITY }: BatchOptions,
): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = []
  const run = async () => {
    const batch = waiting.splice(0, maxItems)
    if (waiting.length > 0) schedule(run)
    try {
      const results = await work(batch.map(({ item }) => item))
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }
  return item =>
    new Promise((resolve, reject) => {
      if (waiting.push({ item, resolve, reject }) === 1) schedule(run)
    })
}

/**
 * Does the work for all items, `atOnce` of them at the same time, and rejects with the first failure after the last
 * item. For work that is repeated later: an item that fails every time keeps no other from its turn.
 */
export async function tryEach<T>(
  items: Iterable<T>,
  work: (item: T) => unknown,
  { atOnce = 1 } = {},
): Promise<void> {
  const failures: unknown[] = []
  const rest = items[Symbol.iterator]()
  const takeNext = async () => {
    for (let next = rest.next(); !next.done; next = rest.next()) {
      try {
        await work(next.value)
      } catch (error) {
        failures.push(error)
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, takeNext))
  if (failures.length > 0) throw failures[0]
}

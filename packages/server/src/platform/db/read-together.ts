import { batched } from '@lectern/common'

/** Within what databases permit of parameters. */
const KEYS_MAX = 500

/**
 * The rows of a key. Keys that are asked for in the same moment are read by one statement: when a server takes over the
 * sessions of another one, it reads the same of thousands of them.
 */
export const readTogether = <Key, Row>(
  read: (keys: Key[]) => Promise<Row[]>,
  keyOf: (row: Row) => Key,
): ((key: Key) => Promise<Row[]>) =>
  batched(
    async keys => {
      const rows = Map.groupBy(await read([...new Set(keys)]), keyOf)
      return keys.map(key => rows.get(key) ?? [])
    },
    { schedule: setImmediate, maxItems: KEYS_MAX },
  )

import { type Kysely, sql } from 'kysely'
import { isPostgres } from '../../platform/db/dialect.ts'
import type { DueDelivery, DueLimits } from '../../platform/delivery/ports.ts'

/** The tables and columns of a queue. */
interface Queue {
  targets: string
  /** The key column of the targets. */
  key: string
  deliveries: string
  /** The column of the deliveries with the key of their target. */
  target: string
  /** The column of the deliveries that is unique, and gives the order in which equally due ones are sent. */
  row: string
  /** The column of targets that is 0 while nothing is sent to them. */
  enabled?: string
}

/**
 * The longest due first, at most `each` per target. It goes from target to target, so that a large backlog of one is not
 * scanned: the joins keep both databases from trying every delivery with every target. SQLite has no LATERAL, and takes the
 * tables of a CROSS JOIN in the written order.
 */
export async function dueOfEach<Schema>(
  db: Kysely<Schema>,
  queue: Queue,
  nowMs: number,
  { all, each, except }: DueLimits,
): Promise<DueDelivery[]> {
  const [deliveries, row, key] = [sql.table(queue.deliveries), sql.ref(queue.row), sql.ref(queue.key)]
  const first = sql`FROM ${deliveries} AS next WHERE next.${sql.ref(queue.target)} = target.${key}
    AND next.status = 'pending' AND next.next_attempt_at_ms <= ${nowMs} ORDER BY next.next_attempt_at_ms LIMIT ${each}`
  const join = isPostgres(db)
    ? sql`CROSS JOIN LATERAL (SELECT next.* ${first}) AS delivery`
    : sql`CROSS JOIN ${deliveries} AS delivery ON delivery.${row} IN (SELECT next.${row} ${first})`
  const isEnabled = queue.enabled ? sql`target.${sql.ref(queue.enabled)} = 1` : sql`1 = 1`
  const isFree = except.length > 0 ? sql`target.${key} NOT IN (${sql.join(except)})` : sql`1 = 1`
  const { rows } = await sql<DueDelivery>`
    SELECT delivery.id, target.${key} AS target FROM ${sql.table(queue.targets)} AS target ${join}
    WHERE ${isEnabled} AND ${isFree}
    ORDER BY delivery.next_attempt_at_ms, delivery.${row} LIMIT ${all}`.execute(db)
  return rows
}

import type { Compilable, Kysely } from 'kysely'

/**
 * A query built and compiled once, for what partners ask many times a second: building it anew costs more than
 * running it. `build` gets a placeholder for each parameter; the function returned takes their values, in order.
 */
export function prepared<Schema, Row, Parameters extends unknown[]>(
  db: Kysely<Schema>,
  build: (...placeholders: Parameters) => Compilable<Row>,
): (...values: Parameters) => Promise<Row[]> {
  // A query holds its parameters in the order of its placeholders, whose values are their own positions.
  const positions = Array.from({ length: build.length }, (_, position) => position) as unknown as Parameters
  const query = build(...positions).compile()
  const order = query.parameters as number[]
  return async (...values) => {
    const parameters = order.map(position => values[position])
    return (await db.executeQuery<Row>({ ...query, parameters } as typeof query)).rows
  }
}

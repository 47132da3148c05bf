import type { Compilable, CompiledQuery, Kysely } from 'kysely'

/** A read without the connection pool; null while a transaction has the connection. */
type DirectRead = (parameters: readonly unknown[]) => unknown[] | null

/** Databases in this process, whose reads are synchronous. */
const directReads = new WeakMap<object, (sql: string) => DirectRead>()

/** `prepare` MUST NOT use the database before the first read: the tables may be created later. */
export function useDirectReads(db: object, prepare: (sql: string) => DirectRead): void {
  directReads.set(db, prepare)
}

/** Databases that prepare frequent statements on each of their connections. */
const namedStatements = new WeakMap<object, (sql: string) => void>()

/** `register` gets the text of each frequent statement, before it is first executed. */
export function usePreparedStatements(db: object, register: (sql: string) => void): void {
  namedStatements.set(db, register)
}

/** Stands for a value that each execution of a compiled query brings. */
class Placeholder {
  readonly key: PropertyKey

  constructor(key: PropertyKey) {
    this.key = key
  }
}

/** A built query, or SQL with parameters. */
interface Buildable<Schema, Row> {
  compile(db: Kysely<Schema>): CompiledQuery<Row>
}

/**
 * A query that is built and compiled once, for frequent ones: building it may cost more than running it.
 * `build` gets a placeholder for each parameter; the returned function takes their values, in order.
 */
export function prepared<Schema, Row, Parameters extends unknown[]>(
  db: Kysely<Schema>,
  build: (...placeholders: Parameters) => Buildable<Schema, Row>,
): (...values: Parameters) => Promise<Row[]> {
  const placeholders = Array.from({ length: build.length }, (_, position) => new Placeholder(position))
  const query = build(...(placeholders as unknown as Parameters)).compile(db)
  const bind = binder<unknown[]>(query.parameters)
  namedStatements.get(db)?.(query.sql)
  const read = isRead(query) ? directReads.get(db)?.(query.sql) : undefined
  return async (...values) => {
    const parameters = bind(values)
    const rows = read?.(parameters)
    return (rows as Row[] | null | undefined) ?? (await db.executeQuery<Row>({ ...query, parameters })).rows
  }
}

const isRead = ({ query, sql }: CompiledQuery) =>
  query.kind === 'SelectQueryNode' || (query.kind === 'RawNode' && /^\s*SELECT\b/.test(sql))

/** `prepared` for queries that run inside of a transaction, on its connection. */
export function preparedInTransaction<Schema, Row, Parameters extends unknown[]>(
  build: (connection: Kysely<Schema>, ...placeholders: Parameters) => Compilable<Row>,
): (connection: Kysely<Schema>, ...values: Parameters) => Promise<Row[]> {
  const placeholders = Array.from({ length: build.length - 1 }, (_, position) => new Placeholder(position))
  // By the kind of database: tests of one process use several.
  const compiled = new Map<unknown, { query: CompiledQuery<Row>; bind: (values: unknown[]) => unknown[] }>()
  return async (connection, ...values) => {
    const kind = connection.getExecutor().adapter.constructor
    let known = compiled.get(kind)
    if (!known) {
      const query = build(connection, ...(placeholders as unknown as Parameters)).compile()
      known = { query, bind: binder<unknown[]>(query.parameters) }
      compiled.set(kind, known)
    }
    const { query, bind } = known
    return (await connection.executeQuery<Row>({ ...query, parameters: bind(values) })).rows
  }
}

/** `prepared` for values that have the names of the keys; `connection` may be a transaction of the same database. */
export function preparedByName<Schema, Row, Values extends object>(
  db: Kysely<Schema>,
  names: readonly (keyof Values)[],
  build: (placeholders: Values) => Compilable<Row>,
): (values: Values, connection?: Kysely<Schema>) => Promise<Row[]> {
  const placeholders = Object.fromEntries(names.map(name => [name, new Placeholder(name)]))
  const query = build(placeholders as Values).compile()
  const bind = binder<Values>(query.parameters)
  namedStatements.get(db)?.(query.sql)
  return async (values, connection = db) =>
    (await connection.executeQuery<Row>({ ...query, parameters: bind(values) })).rows
}

/** Replaces the placeholders among the parameters of a compiled query by values; constants stay. */
function binder<Values extends object>(parameters: readonly unknown[]): (values: Values) => unknown[] {
  return values =>
    parameters.map(each => (each instanceof Placeholder ? values[each.key as keyof Values] : each))
}

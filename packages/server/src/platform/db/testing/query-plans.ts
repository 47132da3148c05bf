import type { CompiledQuery, Kysely, KyselyPlugin, PluginTransformQueryArgs } from 'kysely'

/** A database that remembers its last query. */
export function watched<Schema>(db: Kysely<Schema>) {
  let last: PluginTransformQueryArgs['node'] | undefined
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => {
      last = node
      return node
    },
    transformResult: async ({ result }) => result,
  }
  return {
    db: db.withPlugin(plugin),
    lastQuery: (): CompiledQuery => {
      if (!last) throw new Error('there was no query')
      return db.getExecutor().compileQuery(last, { queryId: 'last' } as never)
    },
  }
}

const explain = async <Schema>(db: Kysely<Schema>, query: CompiledQuery, prefix: string) =>
  (await db.executeQuery({ ...query, sql: `${prefix} ${query.sql}`, queryId: undefined } as never))
    .rows as Record<string, unknown>[]

/** How SQLite reads, such as `SEARCH users USING INDEX …`, each step after a semicolon. */
export const stepsOf = async <Schema>(db: Kysely<Schema>, query: CompiledQuery): Promise<string> =>
  (await explain(db, query, 'EXPLAIN QUERY PLAN')).map(({ detail }) => String(detail)).join('; ')

interface PlanNode {
  'Node Type': string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: PlanNode[]
}

/** How many rows PostgreSQL reads of tables and indexes, with the plan. */
export async function rowsReadBy<Schema>(db: Kysely<Schema>, query: CompiledQuery) {
  const [explained] = await explain(db, query, 'EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON)')
  const [{ Plan }] = (explained as { 'QUERY PLAN': [{ Plan: PlanNode }] })['QUERY PLAN']
  const rowsRead = (node: PlanNode): number =>
    node.Plans
      ? node.Plans.reduce((sum, each) => sum + rowsRead(each), 0)
      : (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
  return { count: rowsRead(Plan), plan: JSON.stringify(Plan) }
}

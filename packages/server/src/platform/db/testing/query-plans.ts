import type { CompiledQuery, Kysely, KyselyPlugin, PluginTransformQueryArgs } from 'kysely'

/** A database that remembers its queries. */
export function watched<Schema>(db: Kysely<Schema>) {
  const nodes: PluginTransformQueryArgs['node'][] = []
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => {
      nodes.push(node)
      return node
    },
    transformResult: async ({ result }) => result,
  }
  const queries = (): CompiledQuery[] =>
    nodes.map(node => db.getExecutor().compileQuery(node, { queryId: 'watched' } as never))
  return {
    db: db.withPlugin(plugin),
    queries,
    lastQuery: (): CompiledQuery => {
      const last = queries().at(-1)
      if (!last) throw new Error('there was no query')
      return last
    },
  }
}

const explain = async <Schema>(db: Kysely<Schema>, query: CompiledQuery, prefix: string) => {
  // Prepared queries have objects as places of what is bound later.
  const parameters = query.parameters.map(each => (typeof each === 'object' && each !== null ? 1 : each))
  const explained = { ...query, sql: `${prefix} ${query.sql}`, parameters, queryId: undefined }
  return (await db.executeQuery(explained as never)).rows as Record<string, unknown>[]
}

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

import type { CompiledQuery, KyselyConfig, OperationNode, TableNode } from 'kysely'
import type { Tracing } from '../tracing.ts'

/** A statement that was executed. */
export interface Statement {
  /** SELECT, INSERT, …; RAW for one that was written by hand. */
  operation: string
  /** The first table; empty for RAW. */
  table: string
  durationMs: number
  isFailed: boolean
}

export type OnStatement = (statement: Statement) => void

/** Kysely's option `log`, which passes every statement on, without its text and its values. */
export const statementLog =
  (onStatement: OnStatement): NonNullable<KyselyConfig['log']> =>
  ({ level, query, queryDurationMillis }) =>
    onStatement({ ...nameOf(query), durationMs: queryDurationMillis, isFailed: level === 'error' })

/** Records the statements of operations that are traced; undefined while traces are off. */
export const statementSpans = (tracing: Tracing): OnStatement | undefined =>
  tracing.isOn
    ? ({ operation, table, durationMs, isFailed }) => {
        const endedAtMs = performance.timeOrigin + performance.now()
        tracing.record({
          name: table === '' ? operation : `${operation} ${table}`,
          kind: 'client',
          attributes: {
            'db.operation.name': operation,
            ...(table !== '' && { 'db.collection.name': table }),
          },
          startedAtMs: endedAtMs - durationMs,
          endedAtMs,
          ...(isFailed && { failure: 'statement_failed' }),
        })
      }
    : undefined

/** `SelectQueryNode` of the table `users` is SELECT users. */
function nameOf({ query }: CompiledQuery): Pick<Statement, 'operation' | 'table'> {
  const { kind, ...parts } = query as OperationNode & Record<'from' | 'into' | 'table', unknown>
  const operation = kind.replace(/(Query)?Node$/, '').toUpperCase()
  const { froms = [] } = (parts.from ?? {}) as { froms?: readonly OperationNode[] }
  return { operation, table: tableOf(froms[0] ?? parts.into ?? parts.table) }
}

/** Behind aliases. */
function tableOf(node: unknown): string {
  const { kind, node: inner } = (node ?? {}) as { kind?: string; node?: unknown }
  if (kind === 'AliasNode') return tableOf(inner)
  return kind === 'TableNode' ? (node as TableNode).table.identifier.name : ''
}

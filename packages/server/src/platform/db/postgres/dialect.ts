import { AUDIT_RETENTION_DAYS } from '@lectern/protocol'
import {
  DataTypeNode,
  Kysely,
  type KyselyPlugin,
  OperationNodeTransformer,
  PostgresDialect,
  type RootOperationNode,
  sql,
} from 'kysely'
import { type OnStatement, statementLog } from '../statements.ts'
import type { AccessColumns, Dialect } from '../store.ts'
import { inTransaction } from '../transaction.ts'
import { ACCESS_VERSION, createAccessVersion, createSchema, MAIN_SCHEMA } from './access-version.ts'
import { type Connection, openPool } from './client.ts'

const RETENTION_MS = AUDIT_RETENTION_DAYS * 86_400_000
/** One lock for both stores: a migration of one may need what a migration of the other creates. */
export const MIGRATION_LOCK = 'migrations'
const VERSION_COMMENT = /^Lectern, version (\d+)$/

/** Gives integers 64 bits, as in SQLite: an id of a request that is too large for a column is not found, not an error. */
class WideIntegers extends OperationNodeTransformer implements KyselyPlugin {
  protected override transformDataType(node: DataTypeNode): DataTypeNode {
    return node.dataType === 'integer' ? DataTypeNode.create('bigint') : node
  }
  transformQuery = ({ node }: { node: RootOperationNode }) => this.transformNode(node)
  transformResult = async <Result>({ result }: { result: Result }) => result
}

/** Opens connections, whose pool reconnects by itself. */
export const openConnection = (connection: Connection, onStatement?: OnStatement) =>
  new Kysely<unknown>({
    dialect: new PostgresDialect({ pool: openPool(connection) }),
    ...(onStatement && { log: statementLog(onStatement) }),
  })

export const postgresDialect = (connection: Connection): Dialect => ({
  nowMs: sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`,
  autoId: column => column.primaryKey().generatedByDefaultAsIdentity(),
  alone: async (_db, work) => {
    const patient = openConnection({ ...connection, maxConnections: 1, hasNoTimeouts: true })
    const migrate = async (db: Kysely<unknown>) => {
      await assertEncoding(db)
      await createSchema(db, connection.schema)
      await work(db.withPlugin(new WideIntegers()))
    }
    await inTransaction(patient, migrate, [MIGRATION_LOCK]).finally(() => patient.destroy())
  },
  protectAuditLog: async db => {
    await sql`
      CREATE FUNCTION protect_audit_log() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION 'the audit log is append-only' USING ERRCODE = 'integrity_constraint_violation';
      END $$`.execute(db)
    await sql`
      CREATE TRIGGER audit_log_update BEFORE UPDATE ON audit_log FOR EACH ROW
      WHEN (old.outcome <> 'started' OR new.id <> old.id OR new.at_ms <> old.at_ms OR new.action <> old.action
        OR new.actor_kind <> old.actor_kind OR new.actor_user_id IS DISTINCT FROM old.actor_user_id
        OR new.actor <> old.actor OR new.address IS DISTINCT FROM old.address OR new.details <> old.details)
      EXECUTE FUNCTION protect_audit_log()`.execute(db)
    await sql`
      CREATE TRIGGER audit_log_delete BEFORE DELETE ON audit_log FOR EACH ROW
      WHEN (old.at_ms > extract(epoch from now()) * 1000 - ${sql.lit(RETENTION_MS)})
      EXECUTE FUNCTION protect_audit_log()`.execute(db)
  },
  countAccessChanges: async (db, { table, columns }: AccessColumns) => {
    await createAccessVersion(db)
    const isChanged = columns.map(name => sql`old.${sql.id(name)} IS DISTINCT FROM new.${sql.id(name)}`)
    await sql`
      CREATE TRIGGER ${sql.id(`${table}_access`)} AFTER UPDATE ON ${sql.id(table)} FOR EACH ROW
      WHEN (${sql.join(isChanged, sql` OR `)})
      EXECUTE FUNCTION ${sql.id(MAIN_SCHEMA, ACCESS_VERSION)}()`.execute(db)
  },
  readVersion: async db => {
    const { rows } = await sql<{ comment: string | null }>`
      SELECT obj_description(oid, 'pg_namespace') AS comment FROM pg_namespace WHERE nspname = ${connection.schema}`.execute(
      db,
    )
    return Number(VERSION_COMMENT.exec(rows[0]?.comment ?? '')?.[1] ?? 0)
  },
  writeVersion: async (db, version) => {
    await sql`COMMENT ON SCHEMA ${sql.id(connection.schema)} IS ${sql.lit(`Lectern, version ${version}`)}`.execute(
      db,
    )
  },
})

/** In another encoding, each name and message with a character that it does not have would be refused, some day. */
async function assertEncoding(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ encoding: string }>`
    SELECT current_setting('server_encoding') AS encoding`.execute(db)
  const encoding = rows[0]?.encoding
  if (encoding !== 'UTF8')
    throw new Error(`The database has the encoding ${encoding}: create it with ENCODING UTF8.`)
}

import type { ClamdAddress } from '../../platform/config/clamd.ts'
import type { NatsAddress } from '../../platform/config/cluster.ts'
import type { Config } from '../../platform/config/index.ts'

/** The result of a check, worded for operators; warnings and failures say what to do. `doctor --json` prints the fields. */
export type Finding = { status: 'ok'; says: string } | { status: 'warn' | 'fail'; says: string; todo: string }

/** The result of a scanner; `too-large`: it has not examined the whole file. */
export type ScanFinding = { is: 'clean' | 'too-large' } | { is: 'infected'; signature: string }

/** The input of every check. */
export interface CheckContext {
  config: Config
  records: Records | Unreadable
  /** The state of PostgreSQL; null with SQLite. */
  database: DatabaseState | Unreadable | null
  /** Why the identity provider cannot be used; null if it can. */
  checkIssuer(config: Config): Promise<string | null>
  /** Why a NATS server cannot be used; null if it can. `ca`: file of its authority, or empty. */
  checkNats: (ca: string) => (address: NatsAddress) => Promise<string | null>
  /** Why the bucket of files cannot be used; null if it can. */
  checkBucket(config: Config): Promise<string | null>
  /** Why no mail can be sent; null if the server of [Mail] can be used. */
  checkMail(config: Config): Promise<string | null>
  /** Scans these bytes with clamd. Throws why it cannot be used. */
  scan(address: ClamdAddress, bytes: Buffer): Promise<ScanFinding>
  /** Why no office documents can be converted; null if some were. */
  checkOffice(): Promise<string | null>
  /** Whether the server of this configuration runs on this machine. */
  isRunning: boolean
  deploymentId: string | null
  /** The TURN servers that browsers get. */
  turnServers: { urls: string[]; secret: string; isEmbedded: boolean }
  turnCredentials(secret: string): { username: string; credential: string }
}

/** Facts about a PostgreSQL database that the checks read. */
export interface DatabaseState {
  version: number
  versionName: string
  encoding: string
  hasUnicodeCollation: boolean
  isReadOnly: boolean
  maxConnections: number
  clockAheadMs: number
  hasStores: boolean
}

/** The stored records that the checks need; empty before the first start. */
export interface Records {
  users: { createdAt: number; login: string; disabledAt: number | null; capabilities: readonly string[] }[]
  serviceAccounts: { name: string; secretHash: string; createdAt: number }[]
  /** When the newest complete backup was begun; null if there is none. */
  newestBackupMs: number | null
}

interface Unreadable {
  error: Error
}

export type Check = (context: CheckContext) => Finding | Promise<Finding>

export const ok = (says: string): Finding => ({ status: 'ok', says })
export const warn = (says: string, todo: string): Finding => ({ status: 'warn', says, todo })
export const fail = (says: string, todo: string): Finding => ({ status: 'fail', says, todo })

/** The result of checks that need the databases when these cannot be opened. */
export const skipped = warn('Skipped: the databases cannot be opened.', 'Fix the databases first.')

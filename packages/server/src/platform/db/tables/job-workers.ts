import type { Generated } from 'kysely'

/** Table of the accounts that ask for jobs on any server. */
export interface JobWorkersSchema {
  job_workers: JobWorkersTable
}

interface JobWorkersTable {
  kind: string
  user_id: number
  active_at_ms: number
  /** Language tags, separated by spaces. */
  languages: Generated<string>
  /** When a converter said last that it converts office documents. */
  office_at_ms: Generated<number>
}

import type { Capability, Language, UserKind } from '@lectern/protocol'
import type { Selectable } from 'kysely'
import type { UsersTable } from '../../platform/db/schema.ts'
import type { User } from '../ports.ts'

export const toUser = (row: Selectable<UsersTable>): User => ({
  id: row.id,
  login: row.login,
  displayName: row.display_name,
  kind: row.kind as UserKind,
  passwordHash: row.password_hash,
  capabilities: JSON.parse(row.capabilities) as Capability[],
  language: row.language as Language | null,
  email: row.email,
  missedCallMails: row.missed_call_mails === 1,
  createdAt: row.created_at,
  disabledAt: row.disabled_at,
  deletedAt: row.deleted_at,
})

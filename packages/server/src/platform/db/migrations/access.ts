import type { Migration } from '../migrate.ts'

/** Other servers learn of each change that revokes access. */
export const accessChanges: Migration = async (db, { countAccessChanges }) => {
  await countAccessChanges(db, { table: 'auth_sessions', columns: ['revoked_at'] })
  await countAccessChanges(db, {
    table: 'users',
    columns: ['kind', 'capabilities', 'disabled_at', 'deleted_at'],
  })
}

export const accessChangesOfLinks: Migration = (db, { countAccessChanges }) =>
  countAccessChanges(db, {
    table: 'rooms',
    columns: ['status', 'teacher_link_version', 'student_link_version'],
  })

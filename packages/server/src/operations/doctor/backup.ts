import { isPostgresUrl } from '../../platform/config/database.ts'
import { type Check, ok, skipped, warn } from './check.ts'

/** One each night, of which one may have failed. */
const EXPECTED_WITHIN_MS = 2 * 86_400_000
const TODO =
  'Run: systemctl enable --now lectern-backup.timer. If it is enabled, journalctl -u lectern-backup says why it failed. Other ways to back up are not seen here.'

/** How old the newest backup with all files is that `lectern backup` has made. */
export const backup: Check = ({ config, records }) => {
  if (isPostgresUrl(config.Db.Url)) return ok('Of PostgreSQL, with its own tools.')
  if ('error' in records) return skipped
  const { users, newestBackupMs } = records
  const isOld = (ms: number) => Date.now() - ms > EXPECTED_WITHIN_MS
  if (newestBackupMs === null)
    return users.some(({ createdAt }) => isOld(createdAt * 1000))
      ? warn('There is no backup.', TODO)
      : ok('None yet.')
  const says = `The newest one is from ${new Date(newestBackupMs).toISOString()}.`
  return isOld(newestBackupMs) ? warn(says, TODO) : ok(says)
}

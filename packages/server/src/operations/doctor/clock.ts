import { type Check, fail, ok, skipped, warn } from './check.ts'
import { firstLineOf } from './programs.ts'

const TOLERANCE_SECONDS = 60

/** Tokens and webhook signatures expire within minutes, so a wrong clock prevents all access. */
export const clock: Check = async ({ records }) => {
  if ('error' in records) return skipped
  const now = Date.now() / 1000
  const newest = [...records.users, ...records.serviceAccounts].reduce(
    (latest, { createdAt }) => Math.max(latest, createdAt),
    0,
  )
  const todo = 'Set the clock and enable NTP: timedatectl set-ntp true.'
  if (newest > now + TOLERANCE_SECONDS)
    return fail(`Behind: the databases contain a record from ${new Date(newest * 1000).toISOString()}.`, todo)
  const synchronised = await isSynchronised()
  if (synchronised === null) return ok(`${new Date().toISOString()}; the NTP status is unknown.`)
  return synchronised ? ok('Synchronised by NTP.') : warn('Not synchronised by NTP.', todo)
}

/** Null where systemd is not available, such as in a container. */
async function isSynchronised(): Promise<boolean | null> {
  const output = await firstLineOf('timedatectl', ['show', '--property=NTPSynchronized', '--value'])
  return output === 'yes' ? true : output === 'no' ? false : null
}

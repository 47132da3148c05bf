import { type Check, fail, notLooked, ok, warn } from './check.ts'
import { firstLineOf } from './programs.ts'

const SLACK_SECONDS = 60

/** Tokens and webhook signatures are good for minutes, so a wrong clock locks everybody out. */
export const clock: Check = async ({ records }) => {
  if ('error' in records) return notLooked
  const now = Date.now() / 1000
  const newest = [...records.users, ...records.serviceAccounts].reduce(
    (latest, { createdAt }) => Math.max(latest, createdAt),
    0,
  )
  const todo = 'Set the clock, and keep it right with NTP: timedatectl set-ntp true.'
  if (newest > now + SLACK_SECONDS)
    return fail(`It is behind: the stores have a record of ${new Date(newest * 1000).toISOString()}.`, todo)
  const synchronised = await isSynchronised()
  if (synchronised === null) return ok(`${new Date().toISOString()}; NTP cannot be asked here.`)
  return synchronised ? ok('Synchronised by NTP.') : warn('Not synchronised by NTP.', todo)
}

/** Null where systemd does not know, such as in a container. */
async function isSynchronised(): Promise<boolean | null> {
  const answer = await firstLineOf('timedatectl', ['show', '--property=NTPSynchronized', '--value'])
  return answer === 'yes' ? true : answer === 'no' ? false : null
}

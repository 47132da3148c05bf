import { once } from 'node:events'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { s3Settings } from '../../platform/config/storage.ts'
import { type Check, type CheckContext, fail, ok, skipped, warn } from './check.ts'
import { firstLineOf } from './programs.ts'

const TOLERANCE_SECONDS = 60
const RESPONSE_TIMEOUT_MS = 3_000
const TODO = 'Set the clock and enable NTP: timedatectl set-ntp true.'

/** The clock of another machine; `aheadMs` is negative if it is behind this one. */
interface OtherClock {
  name: string
  aheadMs: number
}

/**
 * Tokens and webhook signatures expire within minutes, so a wrong clock prevents all access. It is compared with those
 * with which it has to agree: of the database, the identity provider and the object storage.
 */
export const clock: Check = async context => {
  if ('error' in context.records) return skipped
  const now = Date.now() / 1000
  const newest = [...context.records.users, ...context.records.serviceAccounts].reduce(
    (latest, { createdAt }) => Math.max(latest, createdAt),
    0,
  )
  if (newest > now + TOLERANCE_SECONDS)
    return fail(`Behind: the databases contain a record from ${new Date(newest * 1000).toISOString()}.`, TODO)
  const [others, synchronised] = await Promise.all([otherClocks(context), isSynchronised()])
  const wrong = others.filter(({ aheadMs }) => Math.abs(aheadMs) > TOLERANCE_SECONDS * 1000)
  if (wrong.length > 0)
    return fail(
      `${wrong.map(difference).join(' ')} One of them is wrong.`,
      `${TODO} Or correct the other one.`,
    )
  const agrees = others.length > 0 ? ` It agrees with ${others.map(({ name }) => name).join(' and ')}.` : ''
  if (synchronised === null) return ok(`${new Date().toISOString()}; the NTP status is unknown.${agrees}`)
  return synchronised ? ok(`Synchronised by NTP.${agrees}`) : warn(`Not synchronised by NTP.${agrees}`, TODO)
}

const difference = ({ name, aheadMs }: OtherClock) =>
  `This clock is ${Math.round(Math.abs(aheadMs) / 1000)} s ${aheadMs > 0 ? 'behind' : 'ahead of'} ${name}.`

async function otherClocks({ config, database }: CheckContext): Promise<OtherClock[]> {
  const ofDatabase = database && 'clockAheadMs' in database ? database.clockAheadMs : null
  const { Issuer } = config.Oidc
  const bucket = s3Settings(config.Storage)
  const all = await Promise.all([
    { name: 'the database', aheadMs: ofDatabase },
    ...(Issuer ? [clockOf(Issuer)] : []),
    ...(bucket ? [clockOf(bucket.endpoint)] : []),
  ])
  return all.filter((each): each is OtherClock => each.aheadMs !== null)
}

/** By the header Date, which has whole seconds. Null where there is no answer: other checks report that. */
async function clockOf(url: string): Promise<{ name: string; aheadMs: number | null }> {
  const { origin: name, protocol } = new URL(url)
  const begunAt = Date.now()
  try {
    const signal = AbortSignal.timeout(RESPONSE_TIMEOUT_MS)
    // A certificate can be refused because of the clock.
    const options = { method: 'HEAD', signal, agent: false, rejectUnauthorized: false } as const
    const request = protocol === 'https:' ? requestHttps(url, options) : requestHttp(url, options)
    const [response] = (await once(request.end(), 'response')) as [IncomingMessage]
    response.destroy()
    const aheadMs = Date.parse(response.headers.date ?? '') + 500 - (begunAt + Date.now()) / 2
    return { name, aheadMs: Number.isNaN(aheadMs) ? null : aheadMs }
  } catch {
    return { name, aheadMs: null }
  }
}

/** Null where systemd is not available, such as in a container. */
async function isSynchronised(): Promise<boolean | null> {
  const output = await firstLineOf('timedatectl', ['show', '--property=NTPSynchronized', '--value'])
  return output === 'yes' ? true : output === 'no' ? false : null
}

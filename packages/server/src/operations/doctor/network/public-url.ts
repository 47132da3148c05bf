import { localUrl } from '../../../platform/address.ts'
import { type Check, fail, ok, warn } from '../check.ts'
import { INSTANCE_PATH, requestJson } from '../instance.ts'

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** Whether people on other machines open the pages. */
export const isForOthers = (publicUrl: string): boolean =>
  publicUrl !== '' && !LOOPBACK.test(new URL(publicUrl).hostname)

const TODO = 'Set [Integration] PublicUrl to the https address that browsers use.'

export const publicUrl: Check = async ({ config, isRunning, deploymentId }) => {
  const { PublicUrl } = config.Integration
  if (PublicUrl === '')
    return warn(
      `Not set: links and invitations begin with ${localUrl(config)}, which others cannot open.`,
      TODO,
    )
  const isLocal = !isForOthers(PublicUrl)
  if (isLocal && !isRunning) return ok(`${PublicUrl}, for people on this machine.`)
  if (!isLocal && new URL(PublicUrl).protocol !== 'https:')
    return fail(`${PublicUrl} uses plain http: browsers deny it camera and microphone.`, TODO)
  if (!isRunning) return ok(`${PublicUrl}. It is requested when the server is running.`)
  try {
    const { deployment_id } = await requestJson(PublicUrl + INSTANCE_PATH, { rejectUnauthorized: !isLocal })
    if (deployment_id === deploymentId)
      return ok(isLocal ? `${PublicUrl}, for people on this machine.` : `${PublicUrl} leads to this server.`)
    return fail(
      `${PublicUrl} leads to another program or server.`,
      'Correct PublicUrl, the DNS name, or the address to which the reverse proxy passes requests.',
    )
  } catch (error) {
    if (isLocal) return fail(`${PublicUrl} leads to no server.`, TODO)
    const { code, message } = error as NodeJS.ErrnoException
    return warn(
      `${PublicUrl} cannot be reached from this machine: ${code ?? message}.`,
      'Open it on another machine. If it fails there, too, check DNS, certificate, reverse proxy and firewall.',
    )
  }
}

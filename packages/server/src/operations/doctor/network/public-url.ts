import { localUrl } from '../../../platform/address.ts'
import { type Check, type Finding, fail, ok, warn } from '../check.ts'
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
    return certificateFault(PublicUrl, code) ?? unreachable(PublicUrl, code ?? message)
  }
}

const unreachable = (url: string, reason: string): Finding =>
  warn(
    `${url} cannot be reached from this machine: ${reason}.`,
    'Open it on another machine. If it fails there, too, check DNS, reverse proxy and firewall.',
  )

/** What is wrong with the certificate behind an address, by the code of OpenSSL; null if it is something else. */
export function certificateFault(url: string, code: string | undefined): Finding | null {
  switch (code) {
    case 'CERT_HAS_EXPIRED':
      return fail(
        `The certificate of ${url} has expired.`,
        'Renew it, and let the program that serves it read it again.',
      )
    case 'CERT_NOT_YET_VALID':
      return fail(`The certificate of ${url} is not valid yet.`, 'Check the clock of this machine.')
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return fail(
        `The certificate of ${url} is for another name: browsers refuse it.`,
        'Get one for that name, or correct PublicUrl or the name in the reverse proxy.',
      )
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'UNABLE_TO_GET_ISSUER_CERT':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
      return warn(
        `This machine does not trust the certificate of ${url} (${code}): recordings do not start, and browsers may refuse it, too.`,
        'Serve the whole chain (fullchain.pem). Let this machine trust an authority of your own: docs/install.md#an-authority-of-your-own.',
      )
    default:
      return null
  }
}

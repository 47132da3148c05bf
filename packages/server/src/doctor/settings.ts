import { mediaHostAddress } from '../address.ts'
import { type Check, fail, ok, warn } from './check.ts'

const UNSPECIFIED = new Set(['0.0.0.0', '::'])
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

export const jwtSecret: Check = ({ config }) => {
  const todo = 'Set [Server] JwtSecret to the output of "openssl rand -base64 32".'
  if (config.Server.JwtSecret === '') return fail('Not set: sign-in and partner tokens are disabled.', todo)
  const { AcceptedJwtSecrets, AcceptedJwtSecretsUntil } = config.Server
  if (AcceptedJwtSecrets.length === 0) return ok('Set.')
  const until = new Date(AcceptedJwtSecretsUntil ?? 0)
  const others = `${AcceptedJwtSecrets.length} further`
  return until.getTime() > Date.now()
    ? ok(`Set; ${others} accepted until ${until.toISOString()}.`)
    : warn(
        `Set; ${others} no longer accepted since ${until.toISOString()}.`,
        'Remove AcceptedJwtSecrets and AcceptedJwtSecretsUntil.',
      )
}

export const publicUrl: Check = ({ config: { Integration } }) => {
  const { Enabled, PublicUrl } = Integration
  const todo = 'Set [Integration] PublicUrl to the https address that browsers use.'
  if (PublicUrl === '')
    return Enabled
      ? warn('Not set: join links use the address that the server listens on.', todo)
      : ok('Not set; only the integration module needs it.')
  const { protocol, hostname } = new URL(PublicUrl)
  if (protocol === 'https:' || LOOPBACK.test(hostname)) return ok(PublicUrl)
  return fail(`${PublicUrl} uses plain http: browsers deny it camera and microphone.`, todo)
}

const ANNOUNCE = 'Set [Media] AnnouncedAddress to the address at which browsers reach this machine.'

/** Of a media node: recorders on other machines get media from it, too. */
export const nodeAddress: Check = ({ config: { Media } }) => {
  const address = Media.AnnouncedAddress || Media.ListenIp
  if (UNSPECIFIED.has(address)) return fail(`Browsers cannot send media to ${address}.`, ANNOUNCE)
  if (LOOPBACK.test(address))
    return warn(`Media uses ${address}, which is reachable only from this machine.`, ANNOUNCE)
  if (LOOPBACK.test(Media.ListenIp))
    return warn(
      `Recorders on other machines get nothing from ${Media.ListenIp}.`,
      'Set [Media] ListenIp to 0.0.0.0 or to an address of this machine.',
    )
  return ok(`${address}, UDP and TCP.`)
}

export const mediaAddress: Check = ({ config }) => {
  const { Media, Integration, Cluster } = config
  if (Cluster.MediaNodes) return ok('Sessions use the media nodes of the cluster.')
  const address = Media.AnnouncedAddress || Media.ListenIp
  const todo = ANNOUNCE
  if (UNSPECIFIED.has(address)) return fail(`Browsers cannot send media to ${address}.`, todo)
  const isPublic = Integration.PublicUrl !== '' && !LOOPBACK.test(new URL(Integration.PublicUrl).hostname)
  if (LOOPBACK.test(address) && isPublic)
    return fail(`Media uses ${address}, which is reachable only from this machine.`, todo)
  if (!LOOPBACK.test(address)) return ok(`${address}, UDP and TCP.`)
  const hostAddress = mediaHostAddress(config)
  if (hostAddress) return ok(`${address} and ${hostAddress}, UDP and TCP.`)
  return warn(
    `Firefox does not send media to ${address}.`,
    Media.ListenOnHostAddress
      ? 'Connect this machine to a network, or use another browser on it.'
      : 'Set [Media] ListenOnHostAddress = 1, or AnnouncedAddress.',
  )
}

export const turn: Check = ({ config: { Turn } }) => {
  if (Turn.Urls.length === 0)
    return warn(
      'Not configured: participants behind strict firewalls cannot connect.',
      'Run a TURN server such as coturn, and set [Turn] Urls and Secret.',
    )
  if (Turn.Secret === '')
    return fail(
      'Urls is set without Secret: credentials cannot be issued.',
      'Set [Turn] Secret to the static-auth-secret of coturn.',
    )
  return ok(Turn.Urls.join(' '))
}

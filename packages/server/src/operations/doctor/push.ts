import { type Check, ok, warn } from './check.ts'

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** Contradictions between keys of [Push] stop the start, and fail the check of the configuration. */
export const push: Check = ({ config: { Push, Integration } }) => {
  const { Enabled, VapidPublicKey, NativeSenderUrl } = Push
  if (!Enabled)
    return VapidPublicKey || NativeSenderUrl
      ? warn('Configured, but disabled.', 'Set [Push] Enabled = 1.')
      : ok('Disabled; "lectern push keys" makes the keys for it.')
  const { protocol, hostname } = new URL(Integration.PublicUrl || 'http://localhost')
  if (VapidPublicKey && protocol === 'http:' && !LOOPBACK.test(hostname))
    return warn('Browsers permit notifications on https pages only.', 'Serve the pages by https.')
  if (NativeSenderUrl.startsWith('http:') && !LOOPBACK.test(new URL(NativeSenderUrl).hostname))
    return warn(
      'NativeSenderUrl is plain http: names and messages cross the network in clear text.',
      'Use https, or a sender on this machine.',
    )
  const senders = [...(VapidPublicKey ? ['browsers'] : []), ...(NativeSenderUrl ? ['native apps'] : [])]
  return ok(`Notifications for ${senders.join(' and ')}.`)
}

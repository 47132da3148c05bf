import { isIP } from 'node:net'
import type { Key } from './values.ts'

const keyOf = (
  isValid: (value: string) => boolean,
  form: string,
  description: string,
  fallback = '',
): Key<string> => ({
  description,
  form,
  fallback,
  parse: value => {
    if (!isValid(value)) throw new Error(form)
    return value
  },
})

const LABEL = '[a-z0-9](?:[a-z0-9-]*[a-z0-9])?'
/** The last label has a letter: 203.0.113.999 is no name. */
const NAME = new RegExp(`^(?:${LABEL}\\.)*(?=[a-z0-9-]*[a-z])${LABEL}\\.?$`, 'i')

const isHost = (value: string) => isIP(value) !== 0 || (value.length <= 253 && NAME.test(value))

/** An IP address of a machine. */
export const ipAddress = (description: string, fallback = ''): Key<string> =>
  keyOf(value => isIP(value) !== 0, 'an IP address such as 0.0.0.0 or 10.0.0.5', description, fallback)

/** An IP address, or a name that is resolved to one; without scheme and port. */
export const hostAddress = (description: string): Key<string> =>
  keyOf(
    isHost,
    'an IP address or a host name, such as 203.0.113.7 or media.example.org, without a port',
    description,
  )

/** A sender of mails: one address, with or without a name. */
export const sender = (description: string): Key<string> =>
  keyOf(
    value => value.match(/[^\s@,;<>"]+@[^\s@,;<>"]+/g)?.length === 1,
    'an address such as meet@example.org, alone or in angle brackets behind a name',
    description,
  )

/** Addresses of TURN servers (RFC 7065), or of STUN servers (RFC 7064). Browsers refuse all connections because of a malformed one. */
export const turnUrls = (description: string): Key<string[]> => {
  const form =
    'addresses such as turn:turn.example.org:3478 or turns:turn.example.org:443?transport=tcp, separated by spaces'
  return {
    description,
    form,
    fallback: [],
    parse: value => {
      const urls = value.split(/\s+/).filter(Boolean)
      if (!urls.every(isServerUrl)) throw new Error(form)
      return urls
    },
  }
}

function isServerUrl(url: string): boolean {
  const [, scheme, inBrackets, name = '', port = '1', transport] =
    /^(stun|turn)s?:(?:\[([^\]]+)\]|([^:?[\]]+))(?::(\d{1,5}))?(\?transport=(?:udp|tcp))?$/i.exec(url) ?? []
  if (transport !== undefined && scheme?.toLowerCase() === 'stun') return false
  const isPort = Number(port) >= 1 && Number(port) <= 65_535
  return isPort && (inBrackets === undefined ? isHost(name) : isIP(inBrackets) === 6)
}

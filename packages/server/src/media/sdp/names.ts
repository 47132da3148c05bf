const lower = (name: string) => name.toLowerCase()
const upper = (name: string) => name.toUpperCase()

/** Which part of the value of an attribute is a name, and how the parsers expect it. Ids (mid, rid) are no names. */
const NAMES = new Map<string, [name: RegExp, write: (name: string) => string]>(
  Object.entries({
    setup: [/^\w+/, lower],
    fingerprint: [/^\S+/, lower],
    'rtcp-fb': [/.*/, lower],
    ssrc: [/^\d+ [\w-]+/, lower],
    group: [/^\S+/, upper],
    'ssrc-group': [/^\S+/, upper],
    rid: [/ \w+/, lower],
    simulcast: [/(^|\s)(send|recv)(?=\s)/gi, lower],
    fmtp: [/.*/s, parameters => parameters.split(';').map(writeParameter).join(';')],
  }),
)

const writeParameter = (parameter: string) => parameter.trim().replace(/^(\d+ +)?[\w-]+(?==)/, lower)

/** A line with its names as the parsers expect them: they are compared without case (RFC 8866, RFC 4855, RFC 8122). */
export function withComparableNames(line: string): string {
  const [, attribute, value = ''] = /^a=([\w-]+)(.*)$/s.exec(line) ?? []
  if (attribute === undefined) return line.replace(/^m=\w+/, lower)
  const known = NAMES.get(lower(attribute))
  const compared = known && value.startsWith(':') ? `:${value.slice(1).replace(...known)}` : value
  return `a=${lower(attribute)}${compared}`
}

/**
 * The attributes that have a meaning here. No candidates: the server is ICE-lite, and answers checks from any address. Each
 * other line would cost the parser some forty expressions.
 */
const READ = new Set([
  ...NAMES.keys(),
  ...['sendrecv', 'sendonly', 'recvonly', 'inactive', 'mid', 'bundle-only', 'rtcp-mux', 'rtcp-mux-only'],
  ...['rtpmap', 'extmap', 'extmap-allow-mixed', 'ice-lite'],
])

/** Whether a line with comparable names has to be parsed. */
export const isRead = (line: string): boolean =>
  line.startsWith('m=') || (READ.has(/^a=([\w-]+)/.exec(line)?.[1] ?? '') && !OTHER_HASH.test(line))

/** RFC 8122, section 5: a certificate may have several fingerprints, of which unknown ones are ignored. */
const OTHER_HASH = /^a=fingerprint:(?!sha-(1|224|256|384|512) )/

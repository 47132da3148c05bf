/**
 * Good and bad values of each type of docs/control-protocol.md#envelopes, written manually. A value is JSON text, so that odd
 * numbers and escapes can be said. Each entry: what it is, and its text.
 */
const q = JSON.stringify
const MAX = '18446744073709551615'

const notString = [
  ['is null', 'null'],
  ['is a number', '1'],
  ['is a boolean', 'true'],
  ['is an object', '{}'],
  ['is an array', '[]'],
]
const notObject = [
  ['is null', 'null'],
  ['is a string', '"x"'],
  ['is a number', '1'],
  ['is a boolean', 'true'],
  ['is an array', '[]'],
]

const id = {
  good: [
    ['has 1 character', '"a"'],
    ['has 128 characters', q('a'.repeat(128))],
    ['begins with a digit', '"0"'],
    ['begins with a capital', '"Z9"'],
    ['has . _ : - inside', '"a._:-z"'],
    ['ends with a colon', '"account:"'],
    ['is written with an escape', '"\\u0061b"'],
  ],
  bad: [
    ...notString,
    ['is empty', '""'],
    ['has 129 characters', q('a'.repeat(129))],
    ['begins with a dot', '".a"'],
    ['begins with a colon', '":a"'],
    ['begins with a hyphen', '"-a"'],
    ['begins with an underscore', '"_a"'],
    ['has a space', '"a b"'],
    ['begins with a space', '" a"'],
    ['ends with a line feed', '"a\\n"'],
    ['has a slash', '"a/b"'],
    ['has an umlaut', '"ä"'],
    ['has a letter of another script', '"aи"'],
    ['has a full-width digit', '"a１"'],
    ['has an emoji', '"a😀"'],
    ['has NUL', '"a\\u0000"'],
  ],
}

const positiveCounter = [
  ['is 1', '"1"'],
  ['is 10', '"10"'],
  ['is 2^53', '"9007199254740992"'],
  ['is 2^63', '"9223372036854775808"'],
  ['has 19 nines', '"9999999999999999999"'],
  ['is 10^19', '"10000000000000000000"'],
  ['is 17999999999999999999', '"17999999999999999999"'],
  ['is 18399999999999999999', '"18399999999999999999"'],
  ['is 18446744073709551599', '"18446744073709551599"'],
  ['is 18446744073709551609', '"18446744073709551609"'],
  ['is the maximum - 1', '"18446744073709551614"'],
  ['is the maximum', q(MAX)],
]
const badCounter = [
  ...notString,
  ['is empty', '""'],
  ['is the maximum + 1', '"18446744073709551616"'],
  ['is 18446744073709551620', '"18446744073709551620"'],
  ['is 18446744073709552000', '"18446744073709552000"'],
  ['is 18446744074000000000', '"18446744074000000000"'],
  ['is 18500000000000000000', '"18500000000000000000"'],
  ['is 19000000000000000000', '"19000000000000000000"'],
  ['has 20 nines', '"99999999999999999999"'],
  ['has 21 digits', '"100000000000000000000"'],
  ['has a leading zero', '"01"'],
  ['is 00', '"00"'],
  ['has a leading zero before the maximum', q(`0${MAX}`)],
  ['has a plus sign', '"+1"'],
  ['has a minus sign', '"-1"'],
  ['begins with a space', '" 1"'],
  ['ends with a space', '"1 "'],
  ['ends with a line feed', '"1\\n"'],
  ['has a fraction', '"1.0"'],
  ['has an exponent', '"1e3"'],
  ['is hexadecimal', '"0x1"'],
  ['has a separator', '"1_000"'],
  ['has a digit of another script', '"١"'],
  ['is a word', '"one"'],
]

const integer = (least, most) => ({
  good: [
    [`is ${least}`, `${least}`],
    [`is ${most}`, `${most}`],
    [`is ${least}.0, which is an integer in JSON Schema`, `${least}.0`],
    [`is ${most} with an exponent`, `${most}e0`],
  ],
  bad: [
    ['is null', 'null'],
    ['is a string', `"${least}"`],
    ['is a boolean', 'true'],
    ['is an object', '{}'],
    ['is an array', '[]'],
    [`is ${least - 1}`, `${least - 1}`],
    [`is ${most + 1}`, `${most + 1}`],
    ['is negative', '-1'],
    ['has a fraction', `${least}.5`],
  ],
})

const oneOf = (...values) => ({
  good: values.map(value => [`is ${value}`, q(value)]),
  bad: [
    ...notString,
    ['is empty', '""'],
    ['is another word', '"another"'],
    [`is ${values[0]} in capitals`, q(values[0].toUpperCase())],
    [`is ${values[0]} and a space`, q(`${values[0]} `)],
  ],
})

const text = (least, most, mostEmoji = most) => ({
  good: [
    [`has ${least} characters`, q('x'.repeat(least))],
    [`has ${most} characters`, q('x'.repeat(most))],
    [`has ${mostEmoji} code points beyond the basic plane`, q('😀'.repeat(mostEmoji))],
  ],
  bad: [
    ...notString,
    ...(least > 0 ? [[`has ${least - 1} characters`, q('x'.repeat(least - 1))]] : []),
    [`has ${most + 1} characters`, q('x'.repeat(most + 1))],
  ],
})

/** @type {Record<string, { good: string[][], bad: string[][] }>} */
export const scalars = {
  id,
  counter: { good: [['is 0', '"0"'], ...positiveCounter], bad: badCounter },
  generation: { good: positiveCounter, bad: [['is 0', '"0"'], ...badCounter] },
  duration: integer(1, 2147483647),
  object: {
    good: [
      ['is empty', '{}'],
      ['has anything in it', '{"a":[1,null,{"b":"c"}],"":false,"ä":-1.5e-3}'],
      ['has a key named __proto__', '{"__proto__":{"a":1},"constructor":1}'],
    ],
    bad: notObject,
  },
  part_index: integer(0, 4095),
  part_count: integer(1, 4096),
  message: text(0, 2048),
  resume_token: text(32, 4096),
  access_token: text(1, 8192, 1024),
  join_token: text(1, 1024),
  short_text: text(1, 64),
  max_frame_bytes: integer(1024, 16777216),
  max_inflight_commands: integer(1, 1024),
  max_sync_parts: integer(1, 4096),
  max_sync_bytes: integer(1024, 268435456),
  version_selected: {
    good: [],
    bad: [
      ['is 1', '1'],
      ['is 3', '3'],
      ['is a string', '"2"'],
      ['is null', 'null'],
    ],
  },
  profile: oneOf('svc.control.v2.core'),
  versions: {
    good: [
      ['is [2]', '[2]'],
      ['is [1,2]', '[1,2]'],
      ['is [2,1]', '[2,1]'],
    ],
    bad: [
      ['is empty', '[]'],
      ['is [1]', '[1]'],
      ['is [3]', '[3]'],
      ['is [2,3]', '[2,3]'],
      ['is [2,2]', '[2,2]'],
      ['is [1,2,2]', '[1,2,2]'],
      ['is ["2"]', '["2"]'],
      ['is [2,null]', '[2,null]'],
      ['is 2', '2'],
      ['is null', 'null'],
      ['is an object', '{"0":2}'],
    ],
  },
  require_version: {
    good: [
      ['is 1', '1'],
      ['is 2', '2'],
    ],
    bad: [
      ['is 0', '0'],
      ['is 3', '3'],
      ['is a string', '"2"'],
      ['is null', 'null'],
      ['is 1.5', '1.5'],
    ],
  },
  profiles: {
    good: [],
    bad: [
      ['is empty', '[]'],
      ['has the profile twice', '["svc.control.v2.core","svc.control.v2.core"]'],
      ['has another profile', '["svc.control.v2.media"]'],
      ['has a number', '[2]'],
      ['has one more profile', '["svc.control.v2.core","x"]'],
      ['is a string', '"svc.control.v2.core"'],
      ['is null', 'null'],
    ],
  },
  kind: oneOf('account', 'conference', 'conference_session', 'chat', 'operation'),
  scope: oneOf('audio', 'video', 'audio-subscribe', 'video-subscribe'),
  media_name: oneOf('webrtc_offer', 'webrtc_answer', 'webrtc_ice_candidate'),
  error_code: oneOf(
    'protocol_unsupported',
    'unsupported_feature',
    'unauthenticated',
    'token_expired',
    'account_deleted',
    'permission_denied',
    'stale_binding',
    'resume_rejected',
    'version_conflict',
    'idempotency_conflict',
    'resync_required',
    'temporarily_unavailable',
    'rate_limited',
    'deadline_exceeded',
    'outcome_unknown',
    'invalid_argument',
    'resource_exhausted',
    'apply_failed',
  ),
  login_error_code: oneOf(
    'invalid_argument',
    'protocol_unsupported',
    'unauthenticated',
    'token_expired',
    'session_ended',
    'link_invalid',
    'permission_denied',
    'guests_not_allowed',
    'link_rotated',
    'room_closed',
    'room_cancelled',
    'account_deleted',
    'rate_limited',
    'temporarily_unavailable',
  ),
}

export const notAnObject = notObject
export const notAnArray = [
  ['is null', 'null'],
  ['is a string', '"x"'],
  ['is a number', '1'],
  ['is an object', '{}'],
]

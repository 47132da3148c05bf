import { example, messages } from './structs.mjs'

/** Rules F1 to F8 of the frame, written by hand. `code` is what the frame is refused with. */

const command = JSON.stringify(example(messages.control_command))
const frame = `{"control_command":${command}}`
const sync = '{"control_sync":{"request_id":"r","control_instance_id":"c","mode":"fresh","cursors":[]}}'
const closes = (name, text, code = 'invalid_argument') => ({
  name,
  frame: text,
  code,
  close: true,
  beyond_shape: true,
})
const answered = (name, text, code = 'invalid_argument') => ({ ...closes(name, text, code), close: false })
const valid = (name, text) => ({ name, frame: text, valid: true })
const hex = bytes => Buffer.from(bytes).toString('hex')
const withBody = body => frame.replace('{"text":"hello"}', () => body)
const nested = levels => '['.repeat(levels) + ']'.repeat(levels)
const sized = (bytes, filler = 'x') => {
  const text = withBody('{"text":"@"}')
  const room = bytes - Buffer.byteLength(text) + 1
  const many = Math.floor(room / Buffer.byteLength(filler))
  return text.replace('@', () => filler.repeat(many) + 'x'.repeat(room - many * Buffer.byteLength(filler)))
}

const KINDS = [
  'control_command',
  'control_result',
  'control_event',
  'control_signal',
  'control_media',
  'control_sync',
  'control_snapshot',
  'control_sync_result',
]

export const framing = [
  valid('whitespace around and inside', ` \n\t\r${sync.replaceAll(':', ' :\n ')} \n`),
  valid('the top-level key written with escapes', sync.replace('control_sync', '\\u0063ontrol_sync')),
  { ...valid('1024 bytes of 1024', sized(1024)), max_frame_bytes: 1024 },
  { ...valid('1024 bytes of 1024, of two bytes a character', sized(1024, 'ä')), max_frame_bytes: 1024 },
  { ...valid('1024 bytes of 1024, of four bytes a character', sized(1024, '😀')), max_frame_bytes: 1024 },
  { ...closes('1025 bytes of 1024', sized(1025), 'resource_exhausted'), max_frame_bytes: 1024 },
  {
    ...closes('1025 bytes of 1024, of two bytes a character', sized(1025, 'ä'), 'resource_exhausted'),
    max_frame_bytes: 1024,
  },
  {
    ...closes('1025 bytes of 1024, of three bytes a character', sized(1025, '€'), 'resource_exhausted'),
    max_frame_bytes: 1024,
  },
  {
    ...closes('1025 bytes of 1024, of four bytes a character', sized(1025, '😀'), 'resource_exhausted'),
    max_frame_bytes: 1024,
  },
  { ...closes('1025 spaces of 1024', ' '.repeat(1025), 'resource_exhausted'), max_frame_bytes: 1024 },

  ...[
    ['a lone continuation byte', [0x80]],
    ['a truncated sequence', [0xc3]],
    ['an overlong slash', [0xc0, 0xaf]],
    ['a surrogate in UTF-8', [0xed, 0xa0, 0x80]],
    ['a code point beyond U+10FFFF', [0xf4, 0x90, 0x80, 0x80]],
    ['the byte 0xFF', [0xff]],
  ].map(([name, bytes]) => ({
    name: `UTF-8: ${name}`,
    frame_hex: hex(
      withBody('{"text":"@"}')
        .split('@')
        .flatMap((part, i) => [...(i ? bytes : []), ...Buffer.from(part)]),
    ),
    code: 'invalid_argument',
    close: true,
    beyond_shape: true,
  })),
  {
    name: 'a byte order mark',
    frame_hex: hex([0xef, 0xbb, 0xbf, ...Buffer.from(sync)]),
    code: 'invalid_argument',
    close: true,
    beyond_shape: true,
  },
  {
    name: 'UTF-16',
    frame_hex: Buffer.from(sync, 'utf16le').toString('hex'),
    code: 'invalid_argument',
    close: true,
    beyond_shape: true,
  },
  {
    name: 'valid UTF-8 given as bytes',
    frame_hex: hex(Buffer.from(withBody('{"text":"ä😀"}'))),
    valid: true,
  },

  ...[
    ['nothing', ''],
    ['spaces only', '   '],
    ['a truncated frame', sync.slice(0, -1)],
    ['a second value behind it', `${sync}{}`],
    ['a trailing comma', sync.replace('[]', '[],')],
    ['a comma in a list', sync.replace('[]', '[,]')],
    ['single quotes', sync.replaceAll('"', "'")],
    ['a name without quotes', sync.replace('"mode"', 'mode')],
    ['a comment', `/* x */${sync}`],
    ['NaN', withBody('{"a":NaN}')],
    ['Infinity', withBody('{"a":Infinity}')],
    ['a leading zero', withBody('{"a":01}')],
    ['a plus sign', withBody('{"a":+1}')],
    ['a number that begins with a point', withBody('{"a":.5}')],
    ['a number that ends with a point', withBody('{"a":1.}')],
    ['a line feed in a string', withBody('{"a":"\n"}')],
    ['NUL in a string', withBody('{"a":"\u0000"}')],
    ['an unknown escape', withBody('{"a":"\\x41"}')],
    ['a cut escape', withBody('{"a":"\\u00"}')],
    ['a word', 'undefined'],
    ['a closing bracket of the other kind', sync.replace('[]', '[}')],
  ].map(([name, text]) => closes(`JSON: ${name}`, text)),

  closes('a key twice: top level', `{"control_command":${command},"control_command":${command}}`),
  closes('a key twice: envelope', frame.replace('"ttl_ms":', '"ttl_ms":1,"ttl_ms":')),
  closes('a key twice: shared object', frame.replace('"tenant_id":', '"tenant_id":"x","tenant_id":')),
  closes('a key twice: target', frame.replace('"kind":', '"kind":"chat","kind":')),
  closes('a key twice: free-form object', withBody('{"a":1,"a":1}')),
  closes('a key twice: deep in a free-form object', withBody('{"a":[{"b":{"c":1,"d":2,"c":3}}]}')),
  closes('a key twice: one of them escaped', withBody('{"ab":1,"\\u0061b":2}')),
  closes('a key twice: the empty one', withBody('{"":1,"":2}')),
  closes('a key twice: __proto__', withBody('{"__proto__":1,"__proto__":2}')),
  closes(
    'a key twice: a cursor',
    '{"control_sync":{"request_id":"r","control_instance_id":"c","mode":"resume","cursors":[{"stream_id":"s","seq":"1","seq":"2","stream_epoch":"1"}]}}',
  ),
  valid('the same key in different objects', withBody('{"a":{"a":[{"a":1},{"a":2}]}}')),
  valid('keys that differ in case only', withBody('{"a":1,"A":2}')),
  valid('colons and quotes inside strings', withBody('{"a":"\\":{\\"a\\":1,\\\\"}')),

  ...[
    ['null', 'null'],
    ['a number', '1'],
    ['a string', '"control_sync"'],
    ['true', 'true'],
    ['a list', `[${sync}]`],
    ['an empty list', '[]'],
    ['an empty object', '{}'],
    ['an unknown key', '{"control_unknown":{}}'],
    ['a v1 request', '{"id":"1","command":"chat.send","params":{}}'],
    ['a login', '{"login":{"access_token":"x","client":{"name":"a","version":"1","platform":"web"}}}'],
    ['a key with a capital', '{"Control_sync":{}}'],
    ['a key with a space', '{"control_sync ":{}}'],
    ['the empty key', '{"":{}}'],
    ['__proto__', '{"__proto__":{}}'],
    ['constructor', '{"constructor":{}}'],
    ['toString', '{"toString":{}}'],
    ['two known keys', `{"control_command":${command},${sync.slice(1)}`],
    ['a known and an unknown key', `{"x":1,${sync.slice(1)}`],
    ['a known key and an unknown one behind it', `${sync.slice(0, -1)},"x":1}`],
    ['a known and the empty key', `${sync.slice(0, -1)},"":null}`],
    ['a known key and __proto__', `${sync.slice(0, -1)},"__proto__":{}}`],
  ].map(([name, text]) => ({
    name: `top level: ${name}`,
    frame: text,
    code: 'invalid_argument',
    close: true,
  })),
  ...KINDS.flatMap(kind =>
    ['null', '1', '"x"', '[]', '{}', 'true'].map(text => ({
      name: `${kind} is ${text}`,
      frame: `{"${kind}":${text}}`,
      code: 'invalid_argument',
      close: true,
    })),
  ),

  valid('64 levels, the frame being the first', withBody(`{"a":${nested(61)}}`)),
  answered('65 levels', withBody(`{"a":${nested(62)}}`), 'resource_exhausted'),
  answered('1,000 levels', withBody(`{"a":${nested(997)}}`), 'resource_exhausted'),
  answered('20,000 levels', withBody(`{"a":${nested(20_000)}}`), 'resource_exhausted'),
  answered(
    '5,000 levels of objects',
    withBody(`${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`),
    'resource_exhausted',
  ),
  closes(
    '65 levels where no answer can be addressed',
    `{"control_signal":${nested(64)}}`,
    'resource_exhausted',
  ),
  closes('50,000 lists inside each other and nothing else', nested(50_000)),
  closes('50,000 opening brackets', '['.repeat(50_000)),

  valid('a surrogate pair written with escapes', withBody('{"text":"\\ud83d\\ude00"}')),
  answered('a lone high surrogate', withBody('{"text":"\\ud83d"}')),
  answered('a lone low surrogate', withBody('{"text":"\\ude00"}')),
  answered('surrogates in the wrong order', withBody('{"text":"\\ude00\\ud83d"}')),
  answered('a high surrogate before a letter', withBody('{"text":"\\uD83Dx"}')),
  answered('a lone surrogate in a key', withBody('{"\\ud83d":1}')),
  answered('a lone surrogate deep inside', withBody('{"a":[[{"b":"x\\udfff"}]]}')),
  valid('an escaped backslash before u', withBody('{"text":"\\\\ud83d"}')),
  valid('NUL as an escape in a free-form object', withBody('{"text":"\\u0000"}')),

  valid('the largest safe integer', withBody('{"a":9007199254740991}')),
  valid('the smallest safe integer', withBody('{"a":-9007199254740991}')),
  answered('2^53', withBody('{"a":9007199254740992}')),
  answered('-2^53', withBody('{"a":-9007199254740992}')),
  answered('2^64 - 1 as a number', withBody('{"a":18446744073709551615}')),
  answered('a number with an exponent beyond a double', withBody('{"a":1e400}')),
  answered('1e16', withBody('{"a":[1e16]}')),
  valid('fractions', withBody('{"a":[0.1,-1.5e-300,1e-400,-0]}')),
  { ...answered('ttl_ms beyond a double', frame.replace('10000', '1e999')), beyond_shape: false },
]

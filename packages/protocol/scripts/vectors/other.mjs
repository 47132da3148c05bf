import { boardBodies } from './board.mjs'
import { example, exampleOf, messages, structs } from './structs.mjs'

/** The frames before v2, and the bodies of commands. */

const valid = (name, value) => ({ name, frame: JSON.stringify(value), valid: true })
const wrong = (name, value, more = {}) => ({
  name,
  frame: JSON.stringify(value),
  code: 'invalid_argument',
  ...more,
})

const loginContent = example(messages.login)
const offer = example(structs.OFFER)

/** Beside the changes of single fields. `close: true` where no login_result comes first (rules L1, L2). */
export const login = [
  valid('with everything', { login: { ...loginContent, join_token: 'j', protocol_offer: offer } }),
  {
    name: 'twice the same key',
    frame: '{"login":{},"login":{}}',
    code: 'invalid_argument',
    close: true,
    beyond_shape: true,
  },
  { name: 'not JSON', frame: '{"login":', code: 'invalid_argument', close: true, beyond_shape: true },
  {
    name: 'larger than 16384 bytes',
    frame: JSON.stringify({ login: { ...loginContent, access_token: 'x'.repeat(16_384) } }),
    code: 'resource_exhausted',
    close: true,
  },
  {
    ...wrong('an access_token that is not well-formed', { login: loginContent }),
    frame: JSON.stringify({ login: loginContent }).replace('eyJ.eyJ.sig', '\\ud800'),
    close: false,
    beyond_shape: true,
  },
  ...[
    ['null', 'null'],
    ['a list', '[]'],
    ['an empty object', '{}'],
    [
      'a v2 frame',
      '{"control_sync":{"request_id":"r","control_instance_id":"c","mode":"fresh","cursors":[]}}',
    ],
    ['a v1 request', '{"id":"1","command":"chat.send","params":{}}'],
    ['a login and more', JSON.stringify({ login: loginContent, x: 1 })],
  ].map(([name, frame]) => ({
    name: `instead of a login: ${name}`,
    frame,
    code: 'unauthenticated',
    close: true,
  })),
  ...['null', '1', '[]', '"x"'].map(text => ({
    name: `login is ${text}`,
    frame: `{"login":${text}}`,
    code: 'invalid_argument',
    close: false,
  })),
]

const user = { user_id: 7, login: 'anna', display_name: 'Anna', kind: 'ordinary', capabilities: [] }
const selection = exampleOf(['SELECTION'])
const error = example(structs.LOGIN_ERROR)

export const loginResult = [
  valid('v1', { login_result: { ok: true, user } }),
  valid('v2', { login_result: { ok: true, user, protocol_selection: selection } }),
  valid('refused', { login_result: { ok: false, error } }),
  wrong('ok without a user', { login_result: { ok: true } }),
  wrong('ok with an error', { login_result: { ok: true, user, error } }),
  wrong('refused without an error', { login_result: { ok: false } }),
  wrong('refused with a user', { login_result: { ok: false, error, user } }),
  wrong('refused with a selection', { login_result: { ok: false, error, protocol_selection: selection } }),
  wrong('ok is missing', { login_result: { user } }),
  wrong('ok is null', { login_result: { ok: null, user } }),
  wrong('ok is a string', { login_result: { ok: 'true', user } }),
  wrong('error without a message', { login_result: { ok: false, error: { code: 'link_rotated' } } }),
  wrong('error without a code', { login_result: { ok: false, error: { message: 'No.' } } }),
]

const request = { id: '1', command: 'chat.send', target: example(structs.TARGET), params: { text: 'hello' } }
const without = (object, key) => Object.fromEntries(Object.entries(object).filter(([each]) => each !== key))

export const v1Request = [
  valid('with a target', request),
  valid('without a target', without(request, 'target')),
  wrong('without an id', without(request, 'id'), { close: true }),
  wrong('with an id that is a number', { ...request, id: 1 }, { close: true }),
  wrong('with an empty id', { ...request, id: '' }, { close: true }),
  wrong('without a command', without(request, 'command'), { close: false }),
  wrong('with a command that is null', { ...request, command: null }, { close: false }),
  wrong('with a command of spaces', { ...request, command: ' ' }, { close: false }),
  wrong('without params', without(request, 'params'), { close: false }),
  wrong('with params that are a list', { ...request, params: [] }, { close: false }),
  wrong('with a target that is null', { ...request, target: null }, { close: false }),
  wrong('with a target of another kind', { ...request, target: { kind: 'x', id: '1' } }, { close: false }),
  wrong('with an unknown property', { ...request, x: 1 }, { close: false }),
  wrong('that is a list', [request], { close: true }),
  wrong('that is null', null, { close: true }),
  {
    name: 'with a key twice',
    frame: '{"id":"1","id":"1","command":"a","params":{}}',
    code: 'invalid_argument',
    close: true,
    beyond_shape: true,
  },
  {
    name: 'too deep',
    frame: `{"id":"1","command":"a","params":{"a":${'['.repeat(64)}${']'.repeat(64)}}}`,
    code: 'resource_exhausted',
    close: false,
    beyond_shape: true,
  },
]

export const v1Response = [
  valid('a result', { id: '1', result: {} }),
  valid('an error', { id: '1', error: { code: 'permission_denied', message: 'No.' } }),
  wrong('both', { id: '1', result: {}, error: { code: 'permission_denied', message: 'No.' } }),
  wrong('neither', { id: '1' }),
  wrong('a result that is null', { id: '1', result: null }),
  wrong('an error that is null', { id: '1', error: null }),
  wrong('an error of another code', { id: '1', error: { code: 'x', message: 'No.' } }),
  wrong('an error without a message', { id: '1', error: { code: 'permission_denied' } }),
  wrong('no id', { result: {} }),
  wrong('an unknown property', { id: '1', result: {}, x: 1 }),
]

export const v1Event = [
  valid('an event', { event: 'chat.message', data: {} }),
  wrong('without data', { event: 'chat.message' }),
  wrong('without a name', { data: {} }),
  wrong('with data that is null', { event: 'chat.message', data: null }),
  wrong('with data that is a list', { event: 'chat.message', data: [] }),
  wrong('with an id', { id: '1', event: 'chat.message', data: {} }),
  wrong('with an empty name', { event: '', data: {} }),
]

const bodyOf = (name, kind, body) => ({
  control_command: { ...example(messages.control_command), name, target: { kind, id: '42' }, body },
})
const bodies = {
  'conference.join': [
    'conference',
    [{}, { display_name: 'Anna' }, { display_name: 'ä'.repeat(128) }],
    [
      { display_name: '' },
      { display_name: null },
      { display_name: 'x'.repeat(129) },
      { display_name: 'a\u0000' },
      { x: 1 },
    ],
  ],
  'conference.leave': ['conference', [{}], [{ x: 1 }]],
  'conference.end': ['conference', [{}], [{ reason: 'x' }]],
  'conference.set_lock': [
    'conference',
    [{ locked: true }, { locked: false }],
    [{}, { locked: null }, { locked: 1 }, { locked: 'true' }, { locked: true, x: 1 }],
  ],
  'chat.send': [
    'conference_session',
    [
      { text: 'a' },
      { text: ' ' },
      { text: 'x'.repeat(4000) },
      { text: '😀'.repeat(4000) },
      { text: 'two\nlines' },
      { file_id: 'b_1' },
      { text: 'Look', file_id: 'b_1' },
    ],
    [
      {},
      { text: '' },
      { text: null },
      { text: 1 },
      { text: 'x'.repeat(4001) },
      { text: '😀'.repeat(4001) },
      { text: 'a\u0000b' },
      { text: 'a', x: 1 },
      { text: '', file_id: 'b_1' },
      { text: 'a', file_id: null },
      { text: 'a', file_id: '' },
    ],
  ],
  'chat.delete': [
    'conference_session',
    [{ message_id: '12' }],
    [{}, { message_id: 12 }, { message_id: '' }, { message_id: '12', x: 1 }],
  ],
  'chat.history': [
    'conference_session',
    [{}, { limit: 1 }, { limit: 100 }, { before: 'm_1' }, { before: 'm_1', limit: 10 }],
    [
      { limit: 0 },
      { limit: 101 },
      { limit: 1.5 },
      { limit: '1' },
      { before: '' },
      { before: null },
      { x: 1 },
    ],
  ],
  'chat.set_mode': [
    'conference_session',
    [{ mode: 'open' }, { mode: 'read_only' }],
    [{}, { mode: 'closed' }, { mode: null }],
  ],
  'participant.update': [
    'conference_session',
    [
      { display_name: 'Anna' },
      { hand_raised: true },
      { hand_raised: false, display_name: 'A' },
      { participant_id: 'p_1', hand_raised: false },
    ],
    [
      {},
      { display_name: '' },
      { hand_raised: 1 },
      { hand_raised: null },
      { participant_id: '' },
      { role: 'moderator' },
    ],
  ],
  'participant.mute': [
    'conference_session',
    [{ source: 'audio' }, { source: 'video', participant_id: 'p_1' }, { source: 'screen' }],
    [
      {},
      { source: 'x' },
      { source: null },
      { participant_id: 'p_1' },
      { source: 'audio', participant_id: null },
    ],
  ],
  'conference.set_permissions': [
    'conference',
    [
      { microphone: false },
      { camera: true, screen: false },
      { microphone: true, camera: true, screen: true },
      { files: false },
    ],
    [{}, { files: null }, { microphone: null }, { camera: 'no' }, { chat: true }, { screen_audio: true }],
  ],
  'conference.set_spotlight': [
    'conference',
    [{ user_id: '7' }, { user_id: null }],
    [{}, { user_id: 7 }, { user_id: '' }, { participant_id: 'p_1' }],
  ],
  'participant.set_permissions': [
    'conference_session',
    [
      { user_id: '7', microphone: false },
      { user_id: '7', camera: true, screen: null, chat: false },
      { user_id: '7', files: null },
      { user_id: '7', files: true },
    ],
    [
      {},
      { user_id: '7' },
      { microphone: true },
      { user_id: '7', chat: 'read_only' },
      { user_id: '7', files: 'images' },
      { user_id: 7, chat: true },
    ],
  ],
  'participant.lower_hands': ['conference_session', [{}], [{ x: 1 }, { participant_id: 'p_1' }]],
  'participant.remove': [
    'conference_session',
    [{ participant_id: 'p_1' }],
    [{}, { participant_id: null }, { participant_id: '' }, { user_id: '7' }],
  ],
  'participant.readmit': [
    'conference_session',
    [{ user_id: '7' }],
    [{}, { user_id: 7 }, { participant_id: 'p_1' }],
  ],
}
Object.assign(bodies, boardBodies)

const shown = body => {
  const text = JSON.stringify(body)
  return [...text].length > 60
    ? `${[...text].slice(0, 14).join('')}… of ${[...text].length} characters`
    : text
}

const bodyCases = Object.entries(bodies).flatMap(([name, [kind, good, bad]]) => [
  ...good.map(body => valid(`${name} ${shown(body)}`, bodyOf(name, kind, body))),
  wrong(`${name} aimed at a chat`, bodyOf(name, 'chat', good[0]), { close: false }),
  ...bad.map(body => wrong(`${name} ${shown(body)}`, bodyOf(name, kind, body), { close: false })),
])

/** Long bodies that begin alike have the same text in their names: they are numbered. */
const seen = new Map()
export const commandBodies = bodyCases.map(each => {
  const count = (seen.get(each.name) ?? 0) + 1
  seen.set(each.name, count)
  return count === 1 ? each : { ...each, name: `${each.name} (${count})` }
})

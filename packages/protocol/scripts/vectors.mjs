/**
 * Writes vectors/*.json from the tables beside this file. The expectations come from the tables, which are
 * written manually after docs/control-protocol.md#envelopes; no validator is asked. With --check it only compares.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { conditions } from './vectors/conditions.mjs'
import { changes } from './vectors/fields.mjs'
import { framing } from './vectors/framing.mjs'
import { commandBodies, login, loginResult, v1Event, v1Request, v1Response } from './vectors/other.mjs'
import { signalBodies } from './vectors/signals.mjs'
import { messages, structs } from './vectors/structs.mjs'

const folder = join(import.meta.dirname, '../vectors')
const MAX_FRAME_BYTES = 131_072

/** Which fault closes the connection, because no answer can be addressed (rules F12, F13). */
const closes = {
  control_command: ([field]) => field === 'command_id',
  control_sync: ([field]) => field === 'request_id',
  control_media: ([field]) => field === 'media' || field === 'name',
}

function envelope(key) {
  const close = closes[key] ?? (() => true)
  const single = changes(key, messages[key]).map(({ name, path, text, valid }) =>
    valid
      ? { name, frame: text, valid }
      : { name, frame: text, code: 'invalid_argument', close: close(path) },
  )
  const conditional = (conditions[key] ?? []).map(each => (each.valid ? each : { ...each, close: close([]) }))
  const title = `The envelope ${key}`
  return { title, reader: 'control_v2', schema: `${key}.json`, cases: [...single, ...conditional] }
}

/** A fault in the offer is a protocol this server does not speak (rule L3). */
function loginFile() {
  const single = changes('login', messages.login).map(({ name, path, text, valid }) => {
    if (valid) return { name, frame: text, valid }
    const code = path[0] === 'protocol_offer' ? 'protocol_unsupported' : 'invalid_argument'
    return { name, frame: text, code, close: false }
  })
  return { title: 'The first frame', reader: 'login', schema: 'login.json', cases: [...single, ...login] }
}

/** login_result: the selection's and the error's fields, put where they belong. */
function loginResultFile() {
  const user = { user_id: 7, login: 'anna', display_name: 'Anna', kind: 'ordinary', capabilities: [] }
  const inside = (key, fields, rest) =>
    changes(key, fields).map(({ name, text, valid }) => {
      const frame = `{"login_result":{${rest},${text.slice(1)}}`
      return valid ? { name, frame, valid } : { name, frame, code: 'invalid_argument' }
    })
  const cases = [
    ...loginResult,
    ...inside('protocol_selection', structs.SELECTION, `"ok":true,"user":${JSON.stringify(user)}`),
    ...inside('error', structs.LOGIN_ERROR, '"ok":false'),
  ]
  return { title: 'The answer to a login', reader: 'shape', schema: 'login_result.json', cases }
}

const files = {
  framing: {
    title: 'What makes a frame (rules F1 to F8)',
    reader: 'control_v2',
    schema: 'control_frame.json',
    cases: framing,
  },
  ...Object.fromEntries(
    Object.keys(messages)
      .filter(key => key.startsWith('control_'))
      .map(key => [key, envelope(key)]),
  ),
  login: loginFile(),
  login_result: loginResultFile(),
  v1_request: {
    title: 'A request of a v1 session',
    reader: 'v1_request',
    schema: 'v1_request.json',
    cases: v1Request,
  },
  v1_response: {
    title: 'A response of a v1 session',
    reader: 'shape',
    schema: 'v1_response.json',
    cases: v1Response,
  },
  v1_event: { title: 'An event of a v1 session', reader: 'shape', schema: 'v1_event.json', cases: v1Event },
  command_bodies: {
    title: 'The bodies of commands',
    reader: 'command_body',
    schema: 'command_bodies.json',
    cases: commandBodies,
  },
  signal_bodies: {
    title: 'The bodies of signals of clients',
    reader: 'signal_body',
    schema: 'signal_bodies.json',
    cases: signalBodies,
  },
}

/** One case a line: easy to diff, easy to find by line. */
function print({ title, reader, schema, cases }) {
  const head = { title, reader, schema, max_frame_bytes: MAX_FRAME_BYTES }
  const lines = cases.map(each => `    ${JSON.stringify(each)}`).join(',\n')
  const fields = Object.entries(head).map(
    ([key, value]) => `  ${JSON.stringify(key)}: ${JSON.stringify(value)},\n`,
  )
  return `{\n${fields.join('')}  "cases": [\n${lines}\n  ]\n}\n`
}

const check = process.argv.includes('--check')
const wanted = Object.fromEntries(Object.entries(files).map(([name, file]) => [`${name}.json`, print(file)]))
const stale = Object.keys(wanted).filter(name => content(read(name)) !== content(wanted[name]))
const left = readdirSync(folder).filter(name => name.endsWith('.json') && !(name in wanted))

if (check) {
  for (const name of [...stale, ...left])
    console.error(`${name} is not what the tables say; run scripts/vectors.mjs`)
  process.exitCode = stale.length + left.length > 0 ? 1 : 0
} else {
  for (const name of stale) writeFileSync(join(folder, name), wanted[name])
  const count = Object.values(files).reduce((sum, { cases }) => sum + cases.length, 0)
  console.log(`${count} cases in ${Object.keys(files).length} files, ${stale.length} of them rewritten`)
}

/** Without the layout, which is the formatter's. */
function content(text) {
  return text === null ? null : JSON.stringify(JSON.parse(text))
}

function read(name) {
  const path = join(folder, name)
  return existsSync(path) ? readFileSync(path, 'utf8') : null
}

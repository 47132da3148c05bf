import { changes } from './fields.mjs'
import { example, messages, structs } from './structs.mjs'

/** Rules ENV-1 to ENV-3, both ways, and each value of the fields that they turn on. */

const binding = example(structs.BINDING)
const error = example(structs.ERROR)
const target = example(structs.TARGET)
const cursor = example(structs.CURSOR)
const resume = example(structs.RESUME)
const resume_token = 'r'.repeat(43)

const valid = (name, key, content) => ({ name, frame: JSON.stringify({ [key]: content }), valid: true })
const wrong = (name, key, content) => ({
  name,
  frame: JSON.stringify({ [key]: content }),
  code: 'invalid_argument',
})

const badTags = [
  ['is absent', undefined],
  ['is null', null],
  ['is a number', 1],
  ['is a list', ['applied']],
  ['is empty', ''],
  ['is another word', 'another'],
]

function* resultCases() {
  const key = 'control_result'
  const { status: _, ...base } = example(messages.control_result)
  for (const status of ['received', 'committed', 'applied']) {
    yield valid(`${status} has no error`, key, { ...base, status })
    yield wrong(`${status} has an error`, key, { ...base, status, error })
    yield wrong(`${status} has an error that is null`, key, { ...base, status, error: null })
    yield valid(`${status} has everything it may have`, key, {
      ...base,
      status,
      aggregate: target,
      aggregate_version: '0',
      data: { a: 1 },
      extensions: { b: 2 },
    })
  }
  for (const status of ['rejected', 'apply_failed', 'outcome_unknown']) {
    yield valid(`${status} has an error`, key, { ...base, status, error })
    yield wrong(`${status} has no error`, key, { ...base, status })
    yield wrong(`${status} has an error that is null`, key, { ...base, status, error: null })
    yield valid(`${status} has everything it may have`, key, {
      ...base,
      status,
      error: { ...error, message: '', retry_after_ms: 1, extensions: {} },
      aggregate: target,
      aggregate_version: '18446744073709551615',
      data: {},
      extensions: {},
    })
    yield wrong(`${status} has aggregate_version without aggregate`, key, {
      ...base,
      status,
      error,
      aggregate_version: '1',
    })
  }
  yield wrong('aggregate_version without aggregate', key, {
    ...base,
    status: 'applied',
    aggregate_version: '1',
  })
  yield valid('aggregate without aggregate_version', key, { ...base, status: 'applied', aggregate: target })
  yield valid('aggregate and aggregate_version', key, {
    ...base,
    status: 'applied',
    aggregate: target,
    aggregate_version: '1',
  })
  for (const [what, status] of badTags) {
    yield wrong(`status ${what}`, key, { ...base, status })
    yield wrong(`status ${what}, with an error`, key, { ...base, status, error })
  }
  yield* errorCases(inner => ({ [key]: { ...base, status: 'rejected', error: inner } }))
}

function* syncCases() {
  const key = 'control_sync'
  const base = { request_id: 'req_1', control_instance_id: 'ci_1' }
  const fresh = { ...base, mode: 'fresh', cursors: [] }
  yield valid('fresh', key, fresh)
  yield wrong('fresh with a binding', key, { ...fresh, binding })
  yield wrong('fresh with a resume object', key, { ...fresh, resume })
  yield wrong('fresh with a cursor', key, { ...fresh, cursors: [cursor] })
  yield wrong('fresh without cursors', key, { ...base, mode: 'fresh' })
  yield wrong('fresh with a binding that is null', key, { ...fresh, binding: null })
  yield wrong('fresh with a resume object that is null', key, { ...fresh, resume: null })

  const resumed = { ...base, mode: 'resume', cursors: [cursor], resume }
  yield valid('resume', key, resumed)
  yield valid('resume without a single cursor', key, { ...resumed, cursors: [] })
  yield valid('resume with previous_request_id', key, {
    ...resumed,
    resume: { ...resume, previous_request_id: 'req_0' },
  })
  yield wrong('resume without a resume object', key, { ...base, mode: 'resume', cursors: [cursor] })
  yield wrong('resume with a binding beside it', key, { ...resumed, binding })
  yield wrong('resume without cursors', key, { ...base, mode: 'resume', resume })
  yield wrong('resume whose object is null', key, { ...resumed, resume: null })

  const resync = { ...base, mode: 'resync', cursors: [cursor], binding }
  yield valid('resync', key, resync)
  yield valid('resync without a single cursor', key, { ...resync, cursors: [] })
  yield wrong('resync without a binding', key, { ...base, mode: 'resync', cursors: [cursor] })
  yield wrong('resync with a resume object', key, { ...resync, resume })
  yield wrong('resync without cursors', key, { ...base, mode: 'resync', binding })
  yield wrong('resync whose binding is null', key, { ...resync, binding: null })

  for (const [what, mode] of badTags) yield wrong(`mode ${what}`, key, { ...fresh, mode })
}

function* syncResultCases() {
  const key = 'control_sync_result'
  const ready = { request_id: 'req_1', status: 'ready', binding, resume_token, streams: [cursor] }
  const { binding: _b, ...noBinding } = ready
  const { resume_token: _t, ...noToken } = ready
  const { streams: _s, ...noStreams } = ready
  yield valid('ready', key, ready)
  yield wrong('ready with an error', key, { ...ready, error })
  yield wrong('ready with an error that is null', key, { ...ready, error: null })
  yield wrong('ready without a binding', key, noBinding)
  yield wrong('ready without a resume_token', key, noToken)
  yield wrong('ready without streams', key, noStreams)
  for (const status of ['resume_rejected', 'retry_later']) {
    const refused = { request_id: 'req_1', status, error }
    yield valid(status, key, refused)
    yield valid(`${status} with a binding`, key, { ...refused, binding })
    yield valid(`${status} with retry_after_ms`, key, {
      ...refused,
      error: { ...error, retry_after_ms: 1000 },
    })
    yield wrong(`${status} without an error`, key, { request_id: 'req_1', status })
    yield wrong(`${status} with a resume_token`, key, { ...refused, resume_token })
    yield wrong(`${status} with streams`, key, { ...refused, streams: [cursor] })
    yield wrong(`${status} with a resume_token that is null`, key, { ...refused, resume_token: null })
    yield wrong(`${status} with streams that are null`, key, { ...refused, streams: null })
    yield wrong(`${status} with a binding that is null`, key, { ...refused, binding: null })
  }
  yield valid('resume_rejected by a server that does not run the session', key, {
    request_id: 'req_1',
    status: 'resume_rejected',
    error: { code: 'resume_rejected', message: 'elsewhere', extensions: { reason: 'elsewhere' } },
  })
  for (const [what, status] of badTags) {
    yield wrong(`status ${what}`, key, { ...ready, status })
    yield wrong(`status ${what}, with an error`, key, { request_id: 'req_1', status, error })
  }
}

/** A snapshot's part_index is less than its part_count; the schema alone cannot tell. */
function* snapshotCases() {
  const key = 'control_snapshot'
  const part = (part_index, part_count) => ({ ...example(messages.control_snapshot), part_index, part_count })
  const pairs = [
    [0, 1],
    [0, 4096],
    [1, 2],
    [4095, 4096],
    [2047, 2048],
  ]
  for (const [index, count] of pairs) yield valid(`part ${index} of ${count}`, key, part(index, count))
  for (const [index, count] of [
    [1, 1],
    [2, 1],
    [4095, 4095],
    [4095, 1],
    [7, 7],
  ])
    yield { ...wrong(`part ${index} of ${count}`, key, part(index, count)), beyond_shape: true }
  for (const [index, count] of [
    [-1, 1],
    [4096, 4096],
    [0, 0],
    [0, 4097],
    [0.5, 2],
    ['0', 1],
    [null, 1],
    [0, null],
  ])
    yield wrong(`part ${JSON.stringify(index)} of ${JSON.stringify(count)}`, key, part(index, count))
}

/** Every code of an error is one of the eighteen; every other field has its bounds. */
function* errorCases(frameWith) {
  for (const change of changes('error', structs.ERROR)) {
    const inner = change.text.slice('{"error":'.length, -1)
    const text = JSON.stringify(frameWith('@error@')).replace('"@error@"', () => inner)
    yield change.valid
      ? { name: `error: ${change.name}`, frame: text, valid: true }
      : { name: `error: ${change.name}`, frame: text, code: 'invalid_argument' }
  }
}

export const conditions = {
  control_result: [...resultCases()],
  control_sync: [...syncCases()],
  control_snapshot: [...snapshotCases()],
  control_sync_result: [...syncResultCases()],
}

import type { Envelopes, FrameOf, ServerEnvelopeKind } from './frame.ts'
import { type FrameFault, fault } from './frame-rules.ts'
import { type FrameLimits, findFlaw, isObject, type JsonObject, readEnvelope } from './framing.ts'
import type { LoginResultContent } from './login.ts'

/**
 * The codec of clients. A client trusts its server, so it validates only framing (F1 to F8) and the presence and type
 * of the fields that it reads. It uses no schema library, which would be slow under a Content-Security-Policy without
 * 'unsafe-eval'. The codec of the server is codec.ts.
 */
export type ParsedServerFrame =
  | { [K in ServerEnvelopeKind]: { ok: true; kind: K; frame: FrameOf<K> } }[ServerEnvelopeKind]
  | FrameFault

/** Parses a frame of the server. Never throws. */
export function parseServerFrame(input: string | Uint8Array, limits: FrameLimits): ParsedServerFrame {
  const read = readEnvelope(input, limits, serverKinds)
  if (!read.ok) return read
  const { kind, content } = read
  const flaw = findFlaw(content, 2, read.escaped)
  if (flaw) return fault(flaw)
  if (!isObject(content)) return fault('F9', `${kind} is not an object`)
  const invalid =
    findInvalidField(content, fields[kind]) ?? findInvalidField(content, dependentFields(kind, content))
  if (invalid) return fault('F9', `${kind}.${invalid} is missing or of the wrong type`)
  return { ok: true, kind, frame: read.frame } as unknown as ParsedServerFrame
}

/** Parses the result of a login. Never throws. */
export function parseLoginResult(
  input: string | Uint8Array,
  limits: FrameLimits,
): { ok: true; result: LoginResultContent } | FrameFault {
  const read = readEnvelope(input, limits, loginResultKinds)
  if (!read.ok) return read
  const flaw = findFlaw(read.content, 2, read.escaped)
  if (flaw) return fault(flaw)
  const { content } = read
  if (!isObject(content) || !isObject(content.ok === true ? content.user : content.error))
    return fault('F9', 'login_result has no user and no error')
  const selection = content.protocol_selection
  if (selection !== undefined && !(isObject(selection) && isObject(selection.limits)))
    return fault('F9', 'login_result.protocol_selection is not a selection')
  return { ok: true, result: content as LoginResultContent }
}

type TypeName<T> = T extends string
  ? 'string'
  : T extends number
    ? 'number'
    : T extends unknown[]
      ? 'array'
      : 'object'
type Fields<T, Common extends keyof T = keyof T> = {
  [K in Common as undefined extends T[K] ? never : K]: TypeName<T[K]>
}

/** The required fields of every envelope. The types keep them equal to the schemas. */
const fields: { [K in ServerEnvelopeKind]: Fields<Envelopes[K]> } = {
  control_result: { binding: 'object', command_id: 'string', status: 'string' },
  control_event: {
    binding: 'object',
    event_id: 'string',
    stream_id: 'string',
    stream_epoch: 'string',
    seq: 'string',
    aggregate: 'object',
    aggregate_version: 'string',
    name: 'string',
    body: 'object',
  },
  control_signal: {
    binding: 'object',
    stream_id: 'string',
    stream_epoch: 'string',
    source_id: 'string',
    signal_seq: 'string',
    ttl_ms: 'number',
    name: 'string',
    body: 'object',
  },
  control_media: { binding: 'object', media: 'object', name: 'string', body: 'object' },
  control_snapshot: {
    request_id: 'string',
    binding: 'object',
    stream_id: 'string',
    stream_epoch: 'string',
    snapshot_id: 'string',
    snapshot_seq: 'string',
    part_index: 'number',
    part_count: 'number',
    state: 'object',
  },
  control_sync_result: { request_id: 'string', status: 'string' },
}
const serverKinds = new Set(Object.keys(fields) as ServerEnvelopeKind[])
const loginResultKinds = new Set(['login_result'] as const)

const readyFields = { binding: 'object', resume_token: 'string', streams: 'array' }
const errorField = { error: 'object' }
const REFUSED = ['rejected', 'apply_failed', 'outcome_unknown']

/** The fields that a status requires (rules ENV-1 and ENV-3). */
function dependentFields(kind: ServerEnvelopeKind, { status }: JsonObject): Record<string, string> {
  if (kind === 'control_sync_result') return status === 'ready' ? readyFields : errorField
  if (kind === 'control_result' && REFUSED.includes(status as string)) return errorField
  return {}
}

function findInvalidField(content: JsonObject, expected: Record<string, string>): string | undefined {
  return Object.keys(expected).find(name => typeName(content[name]) !== expected[name])
}

function typeName(value: unknown): string {
  if (Array.isArray(value)) return 'array'
  return value === null ? 'null' : typeof value
}

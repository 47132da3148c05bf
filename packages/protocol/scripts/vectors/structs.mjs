/**
 * The objects of docs/control-protocol.md#envelopes as tables: field → [type, example]. A name in capitals is another struct,
 * `[NAME]` a list of it with bounds. A `?` marks a field that may be absent.
 */
const MAX_CURSORS = 1024

export const structs = {
  BINDING: {
    deployment_id: ['id', 'dep-1'],
    tenant_id: ['id', 'main'],
    logical_connection_id: ['id', 'lc_7f3a'],
    binding_generation: ['generation', '3'],
  },
  TARGET: { kind: ['kind', 'conference_session'], id: ['id', '42'] },
  CURSOR: {
    stream_id: ['id', 'session:42'],
    stream_epoch: ['generation', '1'],
    seq: ['counter', '17'],
  },
  ERROR: {
    code: ['error_code', 'permission_denied'],
    'message?': ['message', 'No.'],
    'retry_after_ms?': ['duration', 1000],
    'extensions?': ['object', {}],
  },
  MEDIA: {
    conference_session_id: ['id', '42'],
    participant_instance_id: ['id', 'p_1'],
    publication_id: ['id', 'pub_1'],
    endpoint_id: ['id', 'ep_1'],
    negotiation_id: ['id', 'n_1'],
    rtc_node_id: ['id', 'node-0'],
    route_generation: ['generation', '1'],
    scope: ['scope', 'audio'],
  },
  RESUME: {
    binding: ['BINDING'],
    resume_token: ['resume_token', 'r'.repeat(43)],
    'previous_request_id?': ['id', 'req_0'],
  },
  CLIENT: {
    name: ['short_text', 'web'],
    version: ['short_text', '0.1.0'],
    platform: ['short_text', 'web'],
  },
  OFFER: {
    versions: ['versions', [1, 2]],
    require_version: ['require_version', 2],
    profiles: ['profiles', ['svc.control.v2.core']],
  },
  LIMITS: {
    max_frame_bytes: ['max_frame_bytes', 262144],
    max_inflight_commands: ['max_inflight_commands', 64],
    max_sync_parts: ['max_sync_parts', 256],
    max_sync_bytes: ['max_sync_bytes', 8388608],
    sync_timeout_ms: ['duration', 10000],
    command_retry_window_ms: ['duration', 120000],
    resume_grace_ms: ['duration', 30000],
  },
  SELECTION: {
    version: ['version_selected', 2],
    profile: ['profile', 'svc.control.v2.core'],
    deployment_id: ['id', 'dep-1'],
    tenant_id: ['id', 'main'],
    user_id: ['id', '7'],
    auth_session_id: ['id', 'as_1'],
    transport_id: ['id', 'tr_1'],
    limits: ['LIMITS'],
  },
  LOGIN_ERROR: { code: ['login_error_code', 'link_rotated'], message: ['message', 'No.'] },
}

const cursors = [0, MAX_CURSORS]

/** The messages: required and optional fields. Conditional fields stand in conditions.mjs. */
export const messages = {
  control_command: {
    binding: ['BINDING'],
    command_id: ['id', 'c_1'],
    target: ['TARGET'],
    name: ['id', 'chat.send'],
    body: ['object', { text: 'hello' }],
    ttl_ms: ['duration', 10000],
    'expected_version?': ['counter', '4'],
    'extensions?': ['object', {}],
  },
  control_result: {
    binding: ['BINDING'],
    command_id: ['id', 'c_1'],
    status: ['fixed', 'applied'],
    'data?': ['object', { message_id: 'm_1' }],
    'aggregate?': ['TARGET'],
    'extensions?': ['object', {}],
  },
  control_event: {
    binding: ['BINDING'],
    event_id: ['id', 'e_1'],
    stream_id: ['id', 'session:42'],
    stream_epoch: ['generation', '1'],
    seq: ['generation', '18'],
    aggregate: ['TARGET'],
    aggregate_version: ['counter', '5'],
    name: ['id', 'chat.mode'],
    body: ['object', { mode: 'open' }],
    'request_id?': ['id', 'req_1'],
    'extensions?': ['object', {}],
  },
  control_signal: {
    binding: ['BINDING'],
    stream_id: ['id', 'session:42'],
    stream_epoch: ['generation', '1'],
    source_id: ['id', 'p_1'],
    signal_seq: ['generation', '9'],
    ttl_ms: ['duration', 3000],
    name: ['id', 'chat.typing'],
    body: ['object', {}],
  },
  control_media: {
    binding: ['BINDING'],
    media: ['MEDIA'],
    name: ['media_name', 'webrtc_offer'],
    body: ['object', { format: 'ortc' }],
  },
  control_sync: {
    request_id: ['id', 'req_1'],
    control_instance_id: ['id', 'ci_1'],
    mode: ['fixed', 'resync'],
    cursors: ['[CURSOR]', cursors],
    binding: ['BINDING'],
  },
  control_snapshot: {
    request_id: ['id', 'req_1'],
    binding: ['BINDING'],
    stream_id: ['id', 'session:42'],
    stream_epoch: ['generation', '1'],
    snapshot_id: ['id', 's_1'],
    snapshot_seq: ['counter', '17'],
    part_index: ['fixed', 0],
    part_count: ['part_count', 1],
    state: ['object', {}],
  },
  control_sync_result: {
    request_id: ['id', 'req_1'],
    status: ['fixed', 'ready'],
    binding: ['BINDING'],
    resume_token: ['resume_token', 'r'.repeat(43)],
    streams: ['[CURSOR]', [1, MAX_CURSORS]],
  },
  login: {
    access_token: ['access_token', 'eyJ.eyJ.sig'],
    'join_token?': ['join_token', 'j'.repeat(43)],
    client: ['CLIENT'],
    'protocol_offer?': ['OFFER'],
  },
}

/** The example of a struct or message, without its optional fields. */
export function example(fields) {
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([name]) => !name.endsWith('?'))
      .map(([name, field]) => [name, exampleOf(field)]),
  )
}

export function exampleOf([type, given]) {
  if (structs[type]) return example(structs[type])
  if (type === '[CURSOR]') return [example(structs.CURSOR)]
  return given
}

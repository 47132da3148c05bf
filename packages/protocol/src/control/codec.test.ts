import { describe, expect, it } from 'vitest'
import {
  type ControlCommand,
  encodeFrame,
  frameRules,
  parseFrame,
  refusalFrame,
  utf8Length,
} from './index.ts'

const limits = { maxFrameBytes: 16_777_216 }
const binding = {
  deployment_id: 'dep-1',
  tenant_id: 'main',
  logical_connection_id: 'lc_1',
  binding_generation: '3',
}
const command: ControlCommand = {
  binding,
  command_id: 'c_1',
  target: { kind: 'conference_session', id: '42' },
  name: 'chat.send',
  body: { text: 'hello' },
  ttl_ms: 10_000,
}
const media = {
  conference_session_id: '42',
  participant_instance_id: 'p_1',
  publication_id: 'pub_1',
  endpoint_id: 'ep_1',
  negotiation_id: 'n_1',
  rtc_node_id: 'node-0',
  route_generation: '1',
  scope: 'audio',
} as const
const offer = { binding, media, name: 'webrtc_offer', body: {} }

const parse = (frame: unknown) => parseFrame(JSON.stringify(frame), limits)

describe('parseFrame', () => {
  it('returns the frame and its kind', () => {
    const frame = { control_command: command }
    expect(parseFrame(encodeFrame(frame), limits)).toEqual({ ok: true, kind: 'control_command', frame })
  })

  it('F1 rejects a frame that is too large before parsing it', () => {
    const huge = '['.repeat(17_000_000)
    expect(parseFrame(huge, limits)).toMatchObject({ rule: 'F1', code: 'resource_exhausted', close: true })
  })

  it('F2 rejects text with a lone surrogate, which UTF-8 cannot encode', () => {
    const text = JSON.stringify({ control_command: command }).replace('hello', 'x\ud800')
    expect(parseFrame(text, limits)).toMatchObject({ rule: 'F2', close: true })
  })

  it('F4 distinguishes duplicate keys from invalid JSON (F3, ENV-4)', () => {
    expect(parseFrame('{"a":1,"a":2}', limits)).toMatchObject({ rule: 'F4' })
    expect(parseFrame('{"a":1,"a":2', limits)).toMatchObject({ rule: 'F3' })
  })

  it('F6 rejects a hundred thousand nested levels without a stack overflow', () => {
    const deep = (open: string, close: string, size: number) =>
      `{"control_command":${open.repeat(size)}1${close.repeat(size)}}`
    expect(parseFrame(deep('[', ']', 100_000), limits)).toMatchObject({ rule: 'F6', close: true })
    expect(parseFrame(deep('{"a":', '}', 100_000), limits)).toMatchObject({ rule: 'F6', close: true })
  })

  it('F9 reports the field and the violation in one sentence', () => {
    const parseChanged = (change: object) => parse({ control_command: { ...command, ...change } })
    expect(parseChanged({ ttl_ms: 0 })).toMatchObject({
      message: 'control_command.ttl_ms must be at least 1',
    })
    expect(parseChanged({ more: 1 })).toMatchObject({ message: 'control_command has an unknown field more' })
    const named = { ...command, binding: { ...binding, binding_generation: '0' } }
    expect(parse({ control_command: named })).toMatchObject({
      message:
        'control_command.binding.binding_generation must be a whole number from 1 on, written as a string',
    })
    const refused = { binding, command_id: 'c_1', status: 'rejected' }
    expect(parse({ control_result: refused })).toMatchObject({ message: 'control_result.error is required' })
    expect(parse({ control_result: { ...refused, status: 'x' } })).toMatchObject({
      message: expect.stringMatching(/^control_result\.status /),
    })
  })

  it('F10 requires part_index to be less than part_count', () => {
    const snapshot = {
      request_id: 'r',
      binding,
      stream_id: 'session:42',
      stream_epoch: '1',
      snapshot_id: 's',
      snapshot_seq: '0',
      part_index: 2,
      part_count: 2,
      state: {},
    }
    expect(parse({ control_snapshot: snapshot })).toMatchObject({ rule: 'F10', close: true })
    expect(parse({ control_snapshot: { ...snapshot, part_index: 1 } })).toMatchObject({ ok: true })
  })

  it('F11 closes the connection for violations of rules F1 to F5, even if the text contains an id', () => {
    const text = JSON.stringify({ control_command: command })
    const spoilt = [
      text.slice(0, -1),
      text.replace('"ttl_ms"', '"name":"x","ttl_ms"'),
      `{"x":1,${text.slice(1)}`,
    ]
    for (const each of spoilt) expect(parseFrame(each, limits)).toMatchObject({ ok: false, close: true })
  })

  it('F12 returns the recipient of the answer for a rejected command', () => {
    expect(parse({ control_command: { ...command, body: null } })).toMatchObject({
      close: false,
      answer: { kind: 'control_command', command_id: 'c_1', binding },
    })
    expect(parse({ control_command: { command_id: 'c_1' } })).toMatchObject({
      close: false,
      answer: { kind: 'control_command', command_id: 'c_1' },
    })
  })

  it('F12 returns the recipient of the answer for a rejected sync and a rejected offer', () => {
    expect(parse({ control_sync: { request_id: 'r_1', mode: 'x' } })).toMatchObject({
      close: false,
      answer: { kind: 'control_sync', request_id: 'r_1' },
    })
    expect(parse({ control_media: { ...offer, body: [] } })).toMatchObject({
      close: false,
      answer: { kind: 'control_media', media, binding },
    })
  })

  it('F13 closes the connection when no answer is possible', () => {
    for (const frame of [
      { control_command: { ...command, command_id: '' } },
      { control_command: [] },
      { control_sync: { request_id: 'ä' } },
      { control_media: { ...offer, media: { ...media, scope: 'x' } } },
      { control_media: { ...offer, name: 'webrtc_answer', body: null } },
      { control_signal: { binding } },
      { control_event: {} },
    ])
      expect(parse(frame)).toMatchObject({ ok: false, rule: 'F9', close: true })
  })

  it('returns the documented code of each rule', () => {
    const broken = parse({ control_command: { ...command, body: { a: 1e16 } } })
    expect(broken).toMatchObject({ rule: 'F8', code: frameRules.F8.code, message: frameRules.F8.message })
  })
})

describe('refusalFrame', () => {
  it('F12 creates answers that are valid frames', () => {
    for (const frame of [
      { control_command: { ...command, body: null } },
      { control_sync: { request_id: 'r_1' } },
      { control_media: { ...offer, body: [] } },
    ]) {
      const parsed = parse(frame)
      if (parsed.ok || parsed.close) throw new Error('expected a rejected frame with an answer')
      const { code, message } = parsed
      expect(parse(refusalFrame(parsed.answer, { code, message }, binding))).toMatchObject({ ok: true })
    }
  })
})

describe('utf8Length', () => {
  it('matches the length of the UTF-8 encoding', () => {
    for (const text of ['', 'abc', 'ä', '€', '😀', 'a😀ä€', '\ud800', '\ude00\ud83d', 'x\ud83dx'])
      expect(utf8Length(text)).toBe(new TextEncoder().encode(text).length)
  })
})

import type { ControlErrorCode } from '../errors/control-codes.ts'

/**
 * The rules of valid frames (docs/control-protocol.md#frames). They are checked in this order; the first
 * broken rule determines the error code. Test titles and docs/control-protocol.md cite the numbers.
 *
 * | broken | the server | the client |
 * |---|---|---|
 * | F1 to F5 | F11: closes with 4400, the reason is the error code | closes and syncs again |
 * | F6 to F10 | F12: replies if a reply can be addressed; F13: otherwise as F11 | closes and syncs again |
 *
 * F12. A reply can be addressed when these fields of the envelope are valid, whatever else is invalid:
 *
 * | envelope | needs | reply |
 * |---|---|---|
 * | control_command | command_id | control_result, status `rejected` |
 * | control_sync | request_id | control_sync_result, status `resume_rejected` |
 * | control_media | media, and name `webrtc_offer` | control_media `webrtc_answer`, body `{error}` |
 *
 * The binding of a reply is the connection's own. Signals, webrtc_answer and ICE candidates have no replies, so F13
 * applies to them. Malformed text in a chat message (F7) MUST NOT close the connection: a client that retries its
 * commands after a reconnect would be disconnected again and again.
 */
export const frameRules = {
  F1: { code: 'resource_exhausted', message: 'The frame has more than max_frame_bytes bytes of UTF-8.' },
  F2: { code: 'invalid_argument', message: 'The frame is not text in valid UTF-8.' },
  F3: { code: 'invalid_argument', message: 'The frame is not valid JSON.' },
  F4: { code: 'invalid_argument', message: 'The frame has the same key twice in one object.' },
  F5: {
    code: 'invalid_argument',
    message: 'The frame is not an object with exactly one known top-level key.',
  },
  F6: {
    code: 'resource_exhausted',
    message: 'The frame has more than 64 objects and arrays inside each other.',
  },
  F7: { code: 'invalid_argument', message: 'The frame has a string that is not well-formed Unicode.' },
  F8: { code: 'invalid_argument', message: 'The frame has a number beyond ±9007199254740991.' },
  F9: { code: 'invalid_argument', message: 'The frame does not have the shape of its envelope.' },
  F10: { code: 'invalid_argument', message: 'part_index is not less than part_count.' },
} as const satisfies Record<string, { code: ControlErrorCode; message: string }>

export type FrameRule = keyof typeof frameRules

/** A broken rule with its error code. `message` is for people. */
export interface FrameFault {
  ok: false
  rule: FrameRule
  code: ControlErrorCode
  message: string
}

export function fault(rule: FrameRule, message: string = frameRules[rule].message): FrameFault {
  return { ok: false, rule, code: frameRules[rule].code, message }
}

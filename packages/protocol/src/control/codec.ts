import { lazyCheck } from '../lazy-check.ts'
import { envelopes } from './envelopes/index.ts'
import { explain } from './explain.ts'
import type { ControlFrame, EnvelopeKind, FrameOf } from './frame.ts'
import { type FrameFault, fault } from './frame-rules.ts'
import { type FrameLimits, findFlaw, isObject, readEnvelope } from './framing.ts'
import { Id } from './scalars.ts'
import { Binding, MediaRef } from './shared.ts'

/** The fields of a rejected frame that a reply needs. */
export type ReplyTarget =
  | { kind: 'control_command'; command_id: string; binding?: Binding }
  | { kind: 'control_sync'; request_id: string }
  | { kind: 'control_media'; media: MediaRef; binding?: Binding }

export type ParsedFrame =
  | { [K in EnvelopeKind]: { ok: true; kind: K; frame: FrameOf<K> } }[EnvelopeKind]
  | (FrameFault & { close: true })
  | (FrameFault & { close: false; answer: ReplyTarget })

/** Compiled once. Where `new Function` is forbidden, TypeBox interprets the schemas, 50 times slower. */
const checks = {
  control_command: lazyCheck(envelopes.control_command),
  control_result: lazyCheck(envelopes.control_result),
  control_event: lazyCheck(envelopes.control_event),
  control_signal: lazyCheck(envelopes.control_signal),
  control_media: lazyCheck(envelopes.control_media),
  control_sync: lazyCheck(envelopes.control_sync),
  control_snapshot: lazyCheck(envelopes.control_snapshot),
  control_sync_result: lazyCheck(envelopes.control_sync_result),
}
const kinds = new Set(Object.keys(envelopes) as EnvelopeKind[])
const idCheck = lazyCheck(Id)
const bindingCheck = lazyCheck(Binding)
const mediaCheck = lazyCheck(MediaRef)

/** Parses and validates a frame of either side (rules F1 to F13). Never throws. */
export function parseFrame(input: string | Uint8Array, limits: FrameLimits): ParsedFrame {
  const read = readEnvelope(input, limits, kinds)
  if (!read.ok) return { ...read, close: true }
  const { kind, content } = read
  const frameFault = findFault(kind, content, read.escaped)
  if (!frameFault) return { ok: true, kind, frame: read.frame as ControlFrame } as ParsedFrame
  const answer = replyTargetOf(kind, content)
  return answer ? { ...frameFault, close: false, answer } : { ...frameFault, close: true }
}

/** Rules F6 to F10. */
function findFault(kind: EnvelopeKind, content: unknown, escaped: boolean): FrameFault | null {
  const flaw = findFlaw(content, 2, escaped)
  if (flaw) return fault(flaw)
  if (!checks[kind].Check(content)) return fault('F9', explain(kind, envelopes[kind], content))
  if (kind !== 'control_snapshot') return null
  const part = content as { part_index: number; part_count: number }
  return part.part_index < part.part_count ? null : fault('F10')
}

/** The target of a reply to the frame; null for frames without replies (rule F12). */
export function replyTargetOf(kind: EnvelopeKind, content: unknown): ReplyTarget | null {
  if (!isObject(content)) return null
  const { command_id, request_id, media, name } = content
  const binding = bindingCheck.Check(content.binding) ? { binding: content.binding } : {}
  if (kind === 'control_command' && idCheck.Check(command_id)) return { kind, command_id, ...binding }
  if (kind === 'control_sync' && idCheck.Check(request_id)) return { kind, request_id }
  if (kind === 'control_media' && name === 'webrtc_offer' && mediaCheck.Check(media))
    return { kind, media, ...binding }
  return null
}

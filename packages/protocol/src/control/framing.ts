import { parseStrictJson } from '../strict-json.ts'
import { type FrameFault, type FrameRule, fault } from './frame-rules.ts'

/** The maximum nesting of a frame, which is itself the first level. Bounds recursion. */
export const DEPTH_MAX = 64

export interface FrameLimits {
  maxFrameBytes: number
}

export type JsonObject = Record<string, unknown>

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Rules F1 to F4, and the "object" of F5. Never throws. */
export function readObject(
  input: string | Uint8Array,
  { maxFrameBytes }: FrameLimits,
): { ok: true; value: JsonObject; escaped: boolean } | FrameFault {
  if (isLonger(input, maxFrameBytes)) return fault('F1')
  const text = decode(input)
  if (text === null) return fault('F2')
  const parsed = parseStrictJson(text)
  if (!parsed.ok) return fault(parsed.isDuplicateKey ? 'F4' : 'F3')
  const { value } = parsed
  if (!isObject(value)) return fault('F5')
  return { ok: true, value, escaped: text.includes('\\u') }
}

/** Rules F1 to F5: the only top-level key and its content. */
export function readEnvelope<K extends string>(
  input: string | Uint8Array,
  limits: FrameLimits,
  kinds: ReadonlySet<K>,
): { ok: true; kind: K; frame: JsonObject; content: unknown; escaped: boolean } | FrameFault {
  const read = readObject(input, limits)
  if (!read.ok) return read
  const keys = Object.keys(read.value)
  const kind = keys[0] as K
  if (keys.length !== 1 || !kinds.has(kind)) return fault('F5')
  return { ok: true, kind, frame: read.value, content: read.value[kind], escaped: read.escaped }
}

/**
 * Rules F6 to F8, for `value` at nesting level `depth`. Only an escape can produce a lone surrogate, so
 * strings of a text without escapes (`escaped` is false) are not checked.
 */
export function findFlaw(value: unknown, depth: number, escaped: boolean): FrameRule | null {
  if (typeof value === 'string') return escaped && !value.isWellFormed() ? 'F7' : null
  if (typeof value === 'number') return Math.abs(value) > Number.MAX_SAFE_INTEGER ? 'F8' : null
  if (typeof value !== 'object' || value === null) return null
  if (depth > DEPTH_MAX) return 'F6'
  if (Array.isArray(value)) {
    for (const inner of value) {
      const flaw = findFlaw(inner, depth + 1, escaped)
      if (flaw) return flaw
    }
    return null
  }
  for (const key in value) {
    if (escaped && !key.isWellFormed()) return 'F7'
    const flaw = findFlaw((value as JsonObject)[key], depth + 1, escaped)
    if (flaw) return flaw
  }
  return null
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function decode(input: string | Uint8Array): string | null {
  if (typeof input === 'string') return input.isWellFormed() ? input : null
  try {
    return decoder.decode(input)
  } catch {
    return null
  }
}

/** A UTF-16 unit has one to three bytes in UTF-8, so most texts need no exact count. */
function isLonger(input: string | Uint8Array, bytes: number): boolean {
  if (typeof input !== 'string') return input.byteLength > bytes
  if (input.length > bytes) return true
  return input.length * 3 > bytes && utf8Length(input) > bytes
}

/** Bytes of UTF-8; a lone surrogate counts as the three bytes of its replacement. */
export function utf8Length(text: string): number {
  let bytes = text.length
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit < 0x80) continue
    bytes += unit < 0x800 ? 1 : 2
    if ((unit & 0xfc00) === 0xd800 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) i++
  }
  return bytes
}

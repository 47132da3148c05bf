import { deflateSync, inflateSync } from 'node:zlib'

/** NATS accepts a megabyte. */
export const MESSAGE_MAX_BYTES = 1_000_000
/** Far above the state of the largest room. */
const UNPACKED_MAX_BYTES = 32 * 1024 * 1024

/** The version of the inter-server protocol that this server speaks, and the newest that it understands. */
export const VERSION = 1

/** A failure as it crosses between servers: the code of a Refusal, or one of ours. */
export interface WireError {
  code: string
  message?: string
  details?: { retry_after_ms?: number }
}

/** The envelope of every message between servers. Receivers ignore fields that they do not know. */
export interface Envelope {
  v: number
  /** The id of the sender. */
  from: string
  /** The number of the message: growing, and never used again by the sender. Versions before rule NET-11 have none. */
  seq?: number
  /** In an answer: the number of the request; 0 if it has none. */
  re?: number
  body?: unknown
  error?: WireError
  /** The W3C `traceparent` of a request, while the sender records traces. */
  traceparent?: string
}

/**
 * Why a message cannot be read: it is malformed, of a newer version, or not signed by a member, so that nobody knows
 * whether `from` is true.
 */
export type Unreadable = { is: 'unreadable'; from: string } & (
  | { why: 'malformed' | 'unsigned' }
  | { why: 'newer_version'; v: number }
)

/** What is too large for NATS is compressed: the state of a room with a thousand publications is, and has much in common. */
export function encode(from: string, content: Omit<Envelope, 'v' | 'from'>): string {
  const { body, ...rest } = content
  const text = JSON.stringify({ v: VERSION, from, ...content } satisfies Envelope)
  if (Buffer.byteLength(text) <= MESSAGE_MAX_BYTES) return text
  const packed = deflateSync(JSON.stringify(body), { level: 1 }).toString('base64')
  // To programs that do not know the field it is a failure, as it was before.
  return JSON.stringify({ v: VERSION, from, ...rest, error: { code: 'failed' }, packed })
}

const FROM_MAX = 100

/** Reads a message of another process. `isSigned`: its signature was verified. Never throws. */
export function decode(text: string, isSigned: boolean): ({ is: 'readable' } & Envelope) | Unreadable {
  const parsed = parse(text)
  const from = typeof parsed?.from === 'string' ? parsed.from.slice(0, FROM_MAX) : ''
  if (!isSigned) return { is: 'unreadable', why: 'unsigned', from }
  if (!parsed || !Number.isInteger(parsed.v) || from === '')
    return { is: 'unreadable', why: 'malformed', from }
  const spoken = parsed.v as number
  if (spoken > VERSION) return { is: 'unreadable', why: 'newer_version', from, v: spoken }
  if (typeof parsed.packed === 'string') {
    const body = unpack(parsed.packed)
    if (body === undefined) return { is: 'unreadable', why: 'malformed', from }
    Object.assign(parsed, { body, error: undefined })
  }
  const { v, body, error, traceparent, seq, re } = parsed as unknown as Envelope
  if ((error !== undefined && typeof error?.code !== 'string') || !isNumber(seq) || !isNumber(re))
    return { is: 'unreadable', why: 'malformed', from }
  return { is: 'readable', v, from, seq, re, body, error, traceparent }
}

function unpack(packed: string): unknown {
  try {
    const bytes = inflateSync(Buffer.from(packed, 'base64'), { maxOutputLength: UNPACKED_MAX_BYTES })
    return JSON.parse(bytes.toString())
  } catch {
    return undefined
  }
}

const isNumber = (value: unknown): boolean =>
  value === undefined || (Number.isSafeInteger(value) && (value as number) >= 0)

function parse(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}

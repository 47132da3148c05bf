import type { TSchema } from 'typebox'
import { lazyCheck } from '../lazy-check.ts'
import { explain } from './explain.ts'
import { type FrameFault, fault } from './frame-rules.ts'
import { type FrameLimits, findFlaw, isObject, readEnvelope, readObject } from './framing.ts'
import { type LoginContent, LoginContent as LoginSchema } from './login.ts'
import { ProtocolOffer } from './offer.ts'
import { Id } from './scalars.ts'
import { type V1Request, V1Request as V1RequestSchema } from './v1.ts'

/**
 * Frames of logins and v1 sessions (rules L1 to L3, V1, V2). F1 to F10 apply where applicable.
 *
 * | rule | broken by | the server |
 * |---|---|---|
 * | L1 | a first frame that breaks F1 to F4, or is not `{"login": …}` (`unauthenticated`) | closes with 4400 |
 * | L2 | a login of the wrong content (`invalid_argument`) | answers `login_result`, then closes with 4400 |
 * | L3 | a protocol_offer of the wrong content (`protocol_unsupported`) | as L2 |
 * | V1 | a v1 request that breaks F1 to F4, is no object, or has no readable id | closes with 4400 |
 * | V2 | a v1 request that is wrong otherwise (`invalid_argument`) | answers `{id, error}` |
 */

/** Enough for both tokens and the offer; limits are negotiated later. */
export const LOGIN_FRAME_BYTES_MAX = 16_384

const checkLogin = lazyCheck(LoginSchema)
const checkOffer = lazyCheck(ProtocolOffer)
const checkRequest = lazyCheck(V1RequestSchema)
const checkId = lazyCheck(Id)
const loginKinds = new Set(['login'] as const)

export type ParsedLogin = { ok: true; login: LoginContent } | (FrameFault & { close: boolean })

/** `close: false`: reply with a login_result before closing. Never throws. */
export function parseLogin(input: string | Uint8Array): ParsedLogin {
  const read = readEnvelope(input, { maxFrameBytes: LOGIN_FRAME_BYTES_MAX }, loginKinds)
  if (!read.ok) {
    const code = read.rule === 'F5' ? 'unauthenticated' : read.code
    return { ...read, code, close: true }
  }
  const frameFault = findFault('login', LoginSchema, checkLogin, read.content, 2, read.escaped)
  if (!frameFault) return { ok: true, login: read.content as LoginContent }
  const offer = isObject(read.content) ? read.content.protocol_offer : undefined
  const code = offer !== undefined && !checkOffer.Check(offer) ? 'protocol_unsupported' : 'invalid_argument'
  return { ...frameFault, code, close: false }
}

export type ParsedRequest =
  | { ok: true; request: V1Request }
  | (FrameFault & { close: true })
  | (FrameFault & { close: false; id: string })

/** Parses a command of a v1 session. Never throws. */
export function parseRequest(input: string | Uint8Array, limits: FrameLimits): ParsedRequest {
  const read = readObject(input, limits)
  if (!read.ok) return { ...read, close: true }
  const frameFault = findFault('request', V1RequestSchema, checkRequest, read.value, 1, read.escaped)
  if (!frameFault) return { ok: true, request: read.value as V1Request }
  const { id } = read.value
  return checkId.Check(id) ? { ...frameFault, close: false, id } : { ...frameFault, close: true }
}

function findFault(
  where: string,
  schema: TSchema,
  check: { Check(value: unknown): boolean },
  value: unknown,
  depth: number,
  escaped: boolean,
): FrameFault | null {
  const flaw = findFlaw(value, depth, escaped)
  if (flaw) return fault(flaw)
  return check.Check(value) ? null : fault('F9', explain(where, schema, value))
}

import { createHmac, timingSafeEqual } from 'node:crypto'
import { LINK_TOKEN_MAX, Refusal, ROLES, type Role } from '@lectern/protocol'
import { LRUCache } from 'lru-cache'
import type { Keys } from '../accounts/keys.ts'
import { TAG } from '../platform/tag.ts'

/** The content of a signed link. */
export interface LinkClaims {
  tag: string
  role: Role
  version: number
  displayName: string
}

const PURPOSE = 'join link'
const FORMAT = 1
/** The same, and a zero byte at the end: as base64url it ends in "A". */
const PADDED_FORMAT = 2
/** Many programs take these at the end of a link for punctuation or markup. */
const CUT_OFF = /[-_]$/
const MAC_BYTES = 16
const TAG_BYTES = 15
const HEADER_BYTES = 1 + 1 + 4 + TAG_BYTES

/** Rooms. Partners poll them, and the responses contain links; signing costs more than reading the room. */
const CACHE_SIZE = 5_000

/** The newest link of each role of a room. */
type SignedLinks = Partial<Record<Role, { version: number; displayName: string; token: string }>>

/**
 * Signed join links (docs/partner-api.md#signed-links). A token is base64url of
 * `format(1) role(1) version(4) tag(15) display-name(UTF-8) mac(16)`, with a MAC of 128 bits from HMAC-SHA256
 * over all the rest. The same claims always give the same token, which ends in a letter or digit.
 */
export class Links {
  readonly #keys: Keys
  readonly #signed = new LRUCache<string, SignedLinks>({ max: CACHE_SIZE, memoMethod: () => ({}) })

  constructor(keys: Keys) {
    this.#keys = keys
  }

  sign(claims: LinkClaims): string {
    const { tag, role, version, displayName } = claims
    const links = this.#signed.memo(tag)
    const known = links[role]
    if (known?.version === version && known.displayName === displayName) return known.token
    const token = this.#make(claims)
    links[role] = { version, displayName, token }
    return token
  }

  #make(claims: LinkClaims): string {
    const token = this.#encode(claims, FORMAT)
    return CUT_OFF.test(token) ? this.#encode(claims, PADDED_FORMAT) : token
  }

  #encode({ tag, role, version, displayName }: LinkClaims, format: number): string {
    const header = Buffer.alloc(6)
    header.writeUInt8(format, 0)
    header.writeUInt8(ROLES.indexOf(role), 1)
    header.writeUInt32BE(version, 2)
    const payload = Buffer.concat([header, Buffer.from(tag, 'latin1'), Buffer.from(displayName, 'utf8')])
    const padding = Buffer.alloc(format === PADDED_FORMAT ? 1 : 0)
    return Buffer.concat([payload, macOf(this.#keys.derive(PURPOSE), payload), padding]).toString('base64url')
  }

  /** Throws `link_invalid` for anything that this server did not sign. Rotated links still verify. */
  verify(token: string): LinkClaims {
    const bytes = token.length <= LINK_TOKEN_MAX ? Buffer.from(token, 'base64url') : Buffer.alloc(0)
    // Decoding ignores invalid characters, so the text is compared with its canonical form.
    const isComplete = bytes.length >= HEADER_BYTES + MAC_BYTES && bytes.toString('base64url') === token
    if (!isComplete) throw new Refusal('link_invalid', 'This link is incomplete or mistyped.')

    const format = bytes.readUInt8(0)
    const isPadded = format === PADDED_FORMAT && bytes.at(-1) === 0
    const signed = isPadded ? bytes.subarray(0, -1) : bytes
    const payload = signed.subarray(0, -MAC_BYTES)
    const mac = signed.subarray(-MAC_BYTES)
    if (!this.#keys.deriveAccepted(PURPOSE).some(key => timingSafeEqual(macOf(key, payload), mac)))
      throw new Refusal('link_invalid', 'This link was not made by this server.')

    const role = ROLES[payload.readUInt8(1)]
    const tag = payload.toString('latin1', 6, HEADER_BYTES)
    if (!(format === FORMAT || isPadded) || role === undefined || !TAG.test(tag))
      throw new Refusal('link_invalid')
    return {
      tag,
      role,
      version: payload.readUInt32BE(2),
      displayName: payload.toString('utf8', HEADER_BYTES),
    }
  }
}

const macOf = (key: Buffer, payload: Buffer): Buffer =>
  createHmac('sha256', key).update(payload).digest().subarray(0, MAC_BYTES)

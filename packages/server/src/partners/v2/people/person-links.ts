import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { LINK_TOKEN_MAX, Refusal } from '@lectern/protocol'
import type { Keys } from '../../../accounts/keys.ts'
import { TAG } from '../../../platform/tag.ts'

/** The content of a personal link of version 2. */
export interface PersonLinkClaims {
  tag: string
  /** The key of the person. */
  key: string
  version: number
}

const PURPOSE = 'personal link'
/** Signed links of version 1 begin with 1 or 2. */
const FORMAT = 16
const TAG_BYTES = 15
const KEY_BYTES = 8
const MAC_BYTES = 16
const LENGTH = 1 + 4 + TAG_BYTES + KEY_BYTES + MAC_BYTES + 1

export const makePersonKey = (): string => randomBytes(KEY_BYTES).toString('hex')

/**
 * Personal links (docs/partner-api-v2.md#people). A token is base64url of `format(1) version(4) tag(15) key(8) mac(16) 0`, so
 * that it ends in a letter. The name and the role of the person are not in it: changes of them change no link.
 */
export class PersonLinks {
  readonly #keys: Keys

  constructor(keys: Keys) {
    this.#keys = keys
  }

  sign({ tag, key, version }: PersonLinkClaims): string {
    const header = Buffer.alloc(5)
    header.writeUInt8(FORMAT, 0)
    header.writeUInt32BE(version, 1)
    const payload = Buffer.concat([header, Buffer.from(tag, 'latin1'), Buffer.from(key, 'hex')])
    return Buffer.concat([payload, macOf(this.#keys.derive(PURPOSE), payload), Buffer.alloc(1)]).toString(
      'base64url',
    )
  }

  /** Null for a token of another kind. Throws `link_invalid` for one that this server did not sign. */
  read(token: string): PersonLinkClaims | null {
    const bytes = token.length <= LINK_TOKEN_MAX ? Buffer.from(token, 'base64url') : Buffer.alloc(0)
    if (bytes[0] !== FORMAT || bytes.toString('base64url') !== token) return null
    if (bytes.length !== LENGTH || bytes.at(-1) !== 0)
      throw new Refusal('link_invalid', 'This link is incomplete or mistyped.')
    const payload = bytes.subarray(0, -MAC_BYTES - 1)
    const mac = bytes.subarray(-MAC_BYTES - 1, -1)
    const tag = payload.toString('latin1', 5, 5 + TAG_BYTES)
    const isSigned = this.#keys.deriveAccepted(PURPOSE).some(key => timingSafeEqual(macOf(key, payload), mac))
    if (!isSigned || !TAG.test(tag))
      throw new Refusal('link_invalid', 'This link was not made by this server.')
    return { tag, key: payload.toString('hex', 5 + TAG_BYTES), version: payload.readUInt32BE(1) }
  }
}

const macOf = (key: Buffer, payload: Buffer): Buffer =>
  createHmac('sha256', key).update(payload).digest().subarray(0, MAC_BYTES)

import { createHmac, randomBytes } from 'node:crypto'
import { isIPv4 } from 'node:net'
import { crc32 } from 'node:zlib'

/** The part of STUN (RFC 8489) that ICE checks (RFC 8445) and TURN allocations (RFC 8656) need. */

const COOKIE = 0x2112_a442
const HEADER_BYTES = 20
const MAC_BYTES = 20
const FINGERPRINT_BYTES = 4

export const METHOD = {
  bind: 0x001,
  allocate: 0x003,
  refresh: 0x004,
  send: 0x006,
  data: 0x007,
  permit: 0x008,
}
export const CLASS = { request: 0x000, indication: 0x010, success: 0x100, error: 0x110 }
export const ATTRIBUTE = {
  username: 0x0006,
  integrity: 0x0008,
  error: 0x0009,
  lifetime: 0x000d,
  peer: 0x0012,
  data: 0x0013,
  realm: 0x0014,
  nonce: 0x0015,
  relayed: 0x0016,
  transport: 0x0019,
  priority: 0x0024,
  fingerprint: 0x8028,
  controlling: 0x802a,
}

export type Attributes = [type: number, value: Buffer | string][]

export interface StunMessage {
  type: number
  transaction: string
  attributes: Map<number, Buffer>
}

export const newTransaction = (): Buffer => randomBytes(12)

/** With a key, the message is authenticated (MESSAGE-INTEGRITY) and has the FINGERPRINT that ICE requires. */
export function encode(type: number, transaction: Buffer, attributes: Attributes, key?: Buffer | string) {
  let body = Buffer.concat(attributes.map(([name, value]) => encodeAttribute(name, Buffer.from(value))))
  const header = (followingBytes: number) => {
    const bytes = Buffer.alloc(8)
    bytes.writeUInt16BE(type, 0)
    bytes.writeUInt16BE(body.length + followingBytes, 2)
    bytes.writeUInt32BE(COOKIE, 4)
    return Buffer.concat([bytes, transaction])
  }
  if (key !== undefined) {
    const signed = Buffer.concat([header(4 + MAC_BYTES), body])
    const mac = createHmac('sha1', key).update(signed).digest()
    body = Buffer.concat([body, encodeAttribute(ATTRIBUTE.integrity, mac)])
    const checksum = Buffer.alloc(FINGERPRINT_BYTES)
    checksum.writeUInt32BE((crc32(Buffer.concat([header(4 + FINGERPRINT_BYTES), body])) ^ 0x5354_554e) >>> 0)
    body = Buffer.concat([body, encodeAttribute(ATTRIBUTE.fingerprint, checksum)])
  }
  return Buffer.concat([header(0), body])
}

function encodeAttribute(type: number, value: Buffer): Buffer {
  const bytes = Buffer.alloc(4 + Math.ceil(value.length / 4) * 4)
  bytes.writeUInt16BE(type, 0)
  bytes.writeUInt16BE(value.length, 2)
  value.copy(bytes, 4)
  return bytes
}

/** Null for anything else. Authentication is not verified: a forged answer would only mislead the doctor. */
export function decode(bytes: Buffer): StunMessage | null {
  if (bytes.length < HEADER_BYTES || bytes.readUInt32BE(4) !== COOKIE) return null
  if (bytes.length < HEADER_BYTES + bytes.readUInt16BE(2)) return null
  const attributes = new Map<number, Buffer>()
  const end = HEADER_BYTES + bytes.readUInt16BE(2)
  for (let at = HEADER_BYTES; at + 4 <= end; ) {
    const length = bytes.readUInt16BE(at + 2)
    attributes.set(bytes.readUInt16BE(at), bytes.subarray(at + 4, at + 4 + length))
    at += 4 + Math.ceil(length / 4) * 4
  }
  return { type: bytes.readUInt16BE(0), transaction: bytes.toString('hex', 8, HEADER_BYTES), attributes }
}

/** The error of a response, such as 401; 0: none. */
export function errorCodeOf({ attributes }: StunMessage): number {
  const value = attributes.get(ATTRIBUTE.error)
  return value && value.length >= 4 ? (value[2] as number) * 100 + (value[3] as number) : 0
}

/** XOR-PEER-ADDRESS; the doctor tries IPv4 only. */
export function xorAddress({ address, port }: { address: string; port: number }): Buffer {
  if (!isIPv4(address)) throw new Error(`${address} is not an IPv4 address`)
  const value = Buffer.from([0, 1, 0, 0, ...address.split('.').map(Number)])
  value.writeUInt16BE(port ^ (COOKIE >>> 16), 2)
  value.writeUInt32BE((value.readUInt32BE(4) ^ COOKIE) >>> 0, 4)
  return value
}

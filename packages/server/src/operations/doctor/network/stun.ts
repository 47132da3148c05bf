import { createHmac, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import ipaddr from 'ipaddr.js'

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

/** An address is encoded as XOR-PEER-ADDRESS is. */
export type Attributes = [type: number, value: Buffer | string | Address][]

export interface Address {
  address: string
  port: number
}

export interface StunMessage {
  type: number
  transaction: string
  attributes: Map<number, Buffer>
}

export const newTransaction = (): Buffer => randomBytes(12)

/** With a key, the message is authenticated (MESSAGE-INTEGRITY) and has the FINGERPRINT that ICE requires. */
export function encode(type: number, transaction: Buffer, attributes: Attributes, key?: Buffer | string) {
  const bytesOf = (value: Buffer | string | Address) =>
    typeof value === 'object' && 'address' in value ? xorAddress(value, transaction) : Buffer.from(value)
  let body = Buffer.concat(attributes.map(([name, value]) => encodeAttribute(name, bytesOf(value))))
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

function xorAddress({ address, port }: Address, transaction: Buffer): Buffer {
  const bytes = ipaddr.parse(address).toByteArray()
  const mask = Buffer.alloc(4)
  mask.writeUInt32BE(COOKIE)
  const key = Buffer.concat([mask, transaction])
  const head = Buffer.from([0, bytes.length === 4 ? 1 : 2, 0, 0])
  head.writeUInt16BE(port ^ (COOKIE >>> 16), 2)
  return Buffer.concat([head, Buffer.from(bytes.map((byte, index) => byte ^ (key[index] as number)))])
}

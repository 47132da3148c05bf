import { createCipheriv, createDecipheriv } from 'node:crypto'

/** Sizes in bytes. */
const SALT = 12
const TAG = 16
const SSRC_AT = 8
const RTP_HEADER = 12
const RTCP_HEADER = 8
const RTCP_SSRC_AT = 4
const INDEX = 4

/** Labels of key derivation (RFC 3711 section 4.3.2). */
const LABELS = { rtp: { key: 0, salt: 2 }, rtcp: { key: 3, salt: 5 } }
/** The flag of an SRTCP index: encrypted. */
const ENCRYPTED = 0x8000_0000

export interface SrtpKeys {
  key: Buffer
  salt: Buffer
}

/** Derives bytes from a master key and its salt, which is 14 bytes long here (RFC 3711 section 4.3.3). */
export function derive(masterKey: Buffer, salt: Buffer, label: number, bytes: number): Buffer {
  const counter = Buffer.concat([salt, Buffer.alloc(2)])
  counter[7] = (counter[7] as number) ^ label
  return createCipheriv(`aes-${masterKey.length * 8}-ctr`, masterKey, counter).update(Buffer.alloc(bytes))
}

/** The keys of RTP and RTCP from a master key with its salt of 12 bytes (RFC 7714 section 11). */
export function sessionKeys(keyBase64: string): Record<'rtp' | 'rtcp', SrtpKeys> {
  const master = Buffer.from(keyBase64, 'base64')
  const key = master.subarray(0, -SALT)
  const salt = Buffer.concat([master.subarray(-SALT), Buffer.alloc(2)])
  const contextOf = (labels: { key: number; salt: number }) => ({
    key: derive(key, salt, labels.key, key.length),
    salt: derive(key, salt, labels.salt, SALT),
  })
  return { rtp: contextOf(LABELS.rtp), rtcp: contextOf(LABELS.rtcp) }
}

/** Encrypts a packet with a header of 12 bytes, before the sequence number has wrapped (RFC 7714 section 8). */
export function protectRtp(packet: Buffer, { key, salt }: SrtpKeys): Buffer {
  const header = packet.subarray(0, RTP_HEADER)
  return Buffer.concat([header, seal(key, rtpIv(packet, salt), header, packet.subarray(RTP_HEADER))])
}

/** The reverse, for any header without padding. Throws when the tag is wrong. */
export function unprotectRtp(packet: Buffer, { key, salt }: SrtpKeys): Buffer {
  const header = packet.subarray(0, headerBytes(packet))
  return Buffer.concat([header, open(key, rtpIv(packet, salt), header, packet.subarray(header.length))])
}

/** Encrypts a compound packet (RFC 7714 section 9). */
export function protectRtcp(packet: Buffer, index: number, { key, salt }: SrtpKeys): Buffer {
  const header = packet.subarray(0, RTCP_HEADER)
  const word = Buffer.alloc(INDEX)
  word.writeUInt32BE((ENCRYPTED + index) >>> 0)
  const body = seal(
    key,
    rtcpIv(packet, index, salt),
    Buffer.concat([header, word]),
    packet.subarray(RTCP_HEADER),
  )
  return Buffer.concat([header, body, word])
}

/** The reverse. Throws when the tag is wrong. */
export function unprotectRtcp(packet: Buffer, { key, salt }: SrtpKeys): Buffer {
  const header = packet.subarray(0, RTCP_HEADER)
  const word = packet.subarray(-INDEX)
  const index = word.readUInt32BE() - ENCRYPTED
  const aad = Buffer.concat([header, word])
  return Buffer.concat([
    header,
    open(key, rtcpIv(packet, index, salt), aad, packet.subarray(RTCP_HEADER, -INDEX)),
  ])
}

/** The length of fixed part, sources and extension (RFC 3550 section 5). */
export function headerBytes(packet: Buffer): number {
  const [first = 0] = packet
  const fixed = RTP_HEADER + 4 * (first & 0x0f)
  return first & 0x10 ? fixed + 4 + 4 * packet.readUInt16BE(fixed + 2) : fixed
}

function rtpIv(packet: Buffer, salt: Buffer): Buffer {
  const iv = Buffer.alloc(SALT)
  packet.copy(iv, 2, SSRC_AT, SSRC_AT + 4)
  packet.copy(iv, 10, 2, 4) // the sequence number, after a rollover counter of 0
  return xor(iv, salt)
}

function rtcpIv(packet: Buffer, index: number, salt: Buffer): Buffer {
  const iv = Buffer.alloc(SALT)
  packet.copy(iv, 2, RTCP_SSRC_AT, RTCP_SSRC_AT + 4)
  iv.writeUInt32BE(index, 8)
  return xor(iv, salt)
}

const xor = (a: Buffer, b: Buffer) => Buffer.from(a.map((byte, at) => byte ^ (b[at] as number)))

const cipherOf = (key: Buffer) => (key.length === 32 ? 'aes-256-gcm' : 'aes-128-gcm')

function seal(key: Buffer, iv: Buffer, aad: Buffer, plaintext: Buffer): Buffer {
  const cipher = createCipheriv(cipherOf(key), key, iv).setAAD(aad)
  return Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()])
}

function open(key: Buffer, iv: Buffer, aad: Buffer, ciphertext: Buffer): Buffer {
  const decipher = createDecipheriv(cipherOf(key), key, iv).setAAD(aad)
  decipher.setAuthTag(ciphertext.subarray(-TAG))
  return Buffer.concat([decipher.update(ciphertext.subarray(0, -TAG)), decipher.final()])
}

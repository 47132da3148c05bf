import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { RtpHeader, SrtpSession } from 'werift-rtp'
import { newSrtpKey, SrtpReceiver } from './srtp.ts'

const SSRC = 77

/** Encrypts as a server does: the rollovers are those of the packets, however many are lost on the way. */
function sender(keyBase64: string) {
  const secret = Buffer.from(keyBase64, 'base64')
  const [key, salt] = [secret.subarray(0, 16), secret.subarray(16)]
  const keys = { localMasterKey: key, localMasterSalt: salt, remoteMasterKey: key, remoteMasterSalt: salt }
  const { cipher } = new SrtpSession({ keys, profile: 7 }).localContext
  return (index: number, ssrc = SSRC) => {
    const header = new RtpHeader({ ssrc, sequenceNumber: index % 65_536, payloadType: 96, timestamp: index })
    return cipher.encryptRtp(header, Buffer.from(`packet ${index}`), Math.floor(index / 65_536))
  }
}

const opened = () => {
  const key = newSrtpKey()
  const receiver = new SrtpReceiver(key)
  const packet = sender(key.key_base64)
  const read = (index: number) => receiver.rtp(packet(index))?.subarray(12).toString() ?? null
  return { receiver, packet, read }
}

describe('SRTP', () => {
  it('decrypts late packets', () => {
    const { read } = opened()
    for (const index of [10, 12, 11, 13]) expect(read(index)).toBe(`packet ${index}`)
  })

  it('decrypts across rollovers with thousands of lost packets', () => {
    const { read } = opened()
    for (const index of [65_000, 65_535, 65_536, 65_534, 65_537, 90_000, 120_000, 131_000, 140_000, 139_999])
      expect(read(index), `${index}`).toBe(`packet ${index}`)
  })

  it('keeps a context per SSRC', () => {
    const { read, receiver, packet } = opened()
    for (const index of [65_535, 65_536]) read(index)
    expect(receiver.rtp(packet(5, 78))?.subarray(12).toString()).toBe('packet 5')
    expect(read(65_537)).toBe('packet 65537')
  })

  it('rejects packets with another key without changing its state', () => {
    const { receiver, read } = opened()
    read(65_530)
    const forged = sender(randomBytes(28).toString('base64'))
    expect(receiver.rtp(forged(5))).toBeNull()
    expect(receiver.rtp(randomBytes(60))).toBeNull()
    expect(receiver.rtp(Buffer.alloc(3))).toBeNull()
    expect(receiver.rtcp(randomBytes(60))).toBeNull()
    expect(receiver.rtcp(Buffer.alloc(5))).toBeNull()
    expect(read(65_531)).toBe('packet 65531')
  })

  it('generates unique keys', () => {
    const [one, other] = [newSrtpKey(), newSrtpKey()]
    expect(Buffer.from(one.key_base64, 'base64')).toHaveLength(28)
    expect(one.key_base64).not.toBe(other.key_base64)
  })
})

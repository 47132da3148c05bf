import { randomBytes } from 'node:crypto'
import type { CommandData } from '@lectern/protocol/control'
import { ProtectionProfileAeadAes128Gcm, SrtcpSession, SrtpSession } from 'werift-rtp'

export type SrtpKey = NonNullable<CommandData<'media.tap'>['srtp']>

const KEY_BYTES = 16
const SALT_BYTES = 12

export const newSrtpKey = (): SrtpKey => ({
  crypto_suite: 'AEAD_AES_128_GCM',
  key_base64: randomBytes(KEY_BYTES + SALT_BYTES).toString('base64'),
})

/** How far the packets of one SSRC have come: the packet index of RFC 3711 3.3.1. */
interface Progress {
  rollovers: number
  highest: number
}

const HALF = 2 ** 15

/**
 * Decrypts what a server sends. The rollovers are counted here: werift-rtp loses count, for ever, when more than a
 * hundred packets are lost around one.
 */
export class SrtpReceiver {
  readonly #rtp: SrtpSession
  readonly #rtcp: SrtcpSession
  readonly #progress = new Map<number, Progress>()

  constructor({ key_base64 }: SrtpKey) {
    const secret = Buffer.from(key_base64, 'base64')
    const key = secret.subarray(0, KEY_BYTES)
    const salt = secret.subarray(KEY_BYTES)
    const keys = { localMasterKey: key, localMasterSalt: salt, remoteMasterKey: key, remoteMasterSalt: salt }
    const config = { keys, profile: ProtectionProfileAeadAes128Gcm }
    this.#rtp = new SrtpSession(config)
    this.#rtcp = new SrtcpSession(config)
  }

  /** Null for what is not from the server. */
  rtp(packet: Buffer): Buffer | null {
    if (packet.length < 12) return null
    const sequence = packet.readUInt16BE(2)
    const ssrc = packet.readUInt32BE(8)
    const progress = this.#progress.get(ssrc) ?? { rollovers: 0, highest: sequence }
    const rollovers = guessRollovers(progress, sequence)
    if (rollovers < 0) return null
    try {
      const [plain] = this.#rtp.remoteContext.cipher.decryptRtp(packet, rollovers)
      if (rollovers > progress.rollovers || sequence > progress.highest)
        if (rollovers >= progress.rollovers) this.#progress.set(ssrc, { rollovers, highest: sequence })
      if (!this.#progress.has(ssrc)) this.#progress.set(ssrc, progress)
      return plain
    } catch {
      return null
    }
  }

  /** Null for what is not from the server. */
  rtcp(packet: Buffer): Buffer | null {
    try {
      return this.#rtcp.decrypt(packet)
    } catch {
      return null
    }
  }
}

function guessRollovers({ rollovers, highest }: Progress, sequence: number): number {
  if (highest - sequence > HALF) return rollovers + 1
  if (sequence - highest > HALF) return rollovers - 1
  return rollovers
}

import { createHmac } from 'node:crypto'
import { equalSecrets } from '../../platform/constant-time.ts'

/** The keys of the installation: the one that signs, and those that verify now. */
interface SigningKeys {
  derive(purpose: string): Buffer
  deriveAccepted(purpose: string): readonly Buffer[]
}

const PURPOSE = 'messages between servers'
/** HMAC-SHA256 in base64url. */
const MAC_LENGTH = 43

/**
 * Signs messages between servers, together with their subject, with a key derived from the JwtSecret. Others who reach
 * NATS can neither forge a message nor use one as the answer to another request (rule NET-10).
 */
export class MessageSignatures {
  readonly #keys: SigningKeys

  constructor(keys: SigningKeys) {
    this.#keys = keys
  }

  /** The signature, followed by the text. */
  sign(subject: string, text: string): string {
    return macOf(this.#keys.derive(PURPOSE), subject, text) + text
  }

  /** The text, and whether an accepted key has signed it for the subject. */
  read(subject: string, signed: string): { text: string; isValid: boolean } {
    const [mac, text] = [signed.slice(0, MAC_LENGTH), signed.slice(MAC_LENGTH)]
    const isValid = this.#keys
      .deriveAccepted(PURPOSE)
      .some(key => equalSecrets(mac, macOf(key, subject, text)))
    return { text, isValid }
  }
}

/** Subjects contain no NUL. */
const macOf = (key: Buffer, subject: string, text: string): string =>
  createHmac('sha256', key).update(`${subject}\0${text}`).digest('base64url')

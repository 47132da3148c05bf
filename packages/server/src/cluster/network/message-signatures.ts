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
 * Signs what servers send to each other with a key derived from the JwtSecret, together with the subject: nobody else
 * who reaches NATS can make a message, or an answer to another question, of it (rule NET-10).
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

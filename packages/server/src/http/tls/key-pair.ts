import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createSecureContext } from 'node:tls'

/** The contents of a certificate file and a key file. */
export interface KeyPair {
  cert: Buffer
  key: Buffer
}

export interface TlsFiles {
  readonly TlsCert: string
  readonly TlsKey: string
}

/** Rejects when a file cannot be read. Whether the two belong together is not checked. */
export async function readKeyPair({ TlsCert, TlsKey }: TlsFiles): Promise<KeyPair> {
  return { cert: await readFile(TlsCert), key: await readFile(TlsKey) }
}

export const isSamePair = (a: KeyPair, b: KeyPair): boolean => a.cert.equals(b.cert) && a.key.equals(b.key)

/** The end of the first certificate of the chain in Unix seconds. Throws when the files cannot be used together. */
export function expiryOf({ cert, key }: KeyPair): number {
  createSecureContext({ cert, key }) // throws when they do not match
  return Date.parse(new X509Certificate(cert).validTo) / 1000
}

/** Why a pair MUST NOT replace one that works; null if it may. Contains nothing of the key. */
export function faultOf(pair: KeyPair, nowMs: number): string | null {
  try {
    expiryOf(pair)
    const { validFrom, validTo } = new X509Certificate(pair.cert)
    if (nowMs < Date.parse(validFrom)) return `it is not valid before ${validFrom}`
    return nowMs > Date.parse(validTo) ? `it expired on ${validTo}` : null
  } catch (error) {
    return explain(error as NodeJS.ErrnoException)
  }
}

/** In words for operators: OpenSSL names its functions and source files. */
export function explain({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'ERR_OSSL_X509_KEY_VALUES_MISMATCH') return 'certificate and key do not belong together'
  const isOfOpenSsl = code?.startsWith('ERR_OSSL') || message.startsWith('error:')
  return isOfOpenSsl ? 'a file is incomplete or not in the PEM format' : message
}

declare module 'http_ece' {
  import type { ECDH } from 'node:crypto'

  interface Ece {
    /** RFC 8188 and RFC 8291. */
    decrypt(body: Buffer, options: { version: 'aes128gcm'; privateKey: ECDH; authSecret: string }): Buffer
  }
  const ece: Ece
  export default ece
}

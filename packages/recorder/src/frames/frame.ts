/** One picture as the decoder takes it. */
export interface EncodedFrame {
  data: Buffer
  /** It can be decoded without any picture before it. */
  isKey: boolean
}

/**
 * Joins the payloads of all packets of one picture, in their order. Null: the beginning is missing, or this is
 * no such codec.
 */
export type Depacketize = (payloads: Buffer[]) => EncodedFrame | null

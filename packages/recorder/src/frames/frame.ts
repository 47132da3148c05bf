/** One encoded frame. */
export interface EncodedFrame {
  data: Buffer
  /** Decodable without earlier frames. */
  isKey: boolean
}

/**
 * Joins the payloads of all packets of one frame, in order. Null if the start is missing or the payload is not of this
 * codec.
 */
export type Depacketize = (payloads: Buffer[]) => EncodedFrame | null

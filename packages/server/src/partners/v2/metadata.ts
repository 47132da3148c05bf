import { ensure, METADATA_MAX_BYTES, type Metadata } from '@lectern/protocol'

/** Throws `invalid_argument` for more than 4 KiB. */
export function ensureMetadata(metadata: Metadata): void {
  const isSmall = Buffer.byteLength(JSON.stringify(metadata)) <= METADATA_MAX_BYTES
  ensure(isSmall, 'invalid_argument', `metadata must have at most ${METADATA_MAX_BYTES} bytes as JSON.`)
}

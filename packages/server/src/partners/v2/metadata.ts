import { ensure, formats, METADATA_MAX_BYTES, type Metadata } from '@lectern/protocol'

/** Throws `invalid_argument` for more than 4 KiB, and for names that the schema does not reach: those with line breaks. */
export function ensureMetadata(metadata: Metadata): void {
  for (const [name, value] of Object.entries<unknown>(metadata))
    ensure(
      typeof value === 'string' && formats.text(name) && formats.text(value),
      'invalid_argument',
      'metadata must have well-formed texts as names and values.',
    )
  const isSmall = Buffer.byteLength(JSON.stringify(metadata)) <= METADATA_MAX_BYTES
  ensure(isSmall, 'invalid_argument', `metadata must have at most ${METADATA_MAX_BYTES} bytes as JSON.`)
}

import { Refusal } from '@lectern/protocol'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Blob, BlobStore, Span } from '../../records/ports.ts'
import { attachment } from './disposition.ts'
import { readRange } from './range.ts'
import { streamBody } from './stream-body.ts'

/** Answers GET and HEAD with a blob: conditional requests and one range (RFC 9110 §13, §14). */
export async function sendBlob(request: FastifyRequest, reply: FastifyReply, blob: Blob, store: BlobStore) {
  const etag = `"${blob.sha256}"`
  const caching = { etag, 'cache-control': 'private, no-cache' }
  if (matchesEtag(request.headers['if-none-match'], etag)) return reply.headers(caching).code(304).send()

  const span = requestedSpan(request, reply, blob, etag)
  const bytes = request.method === 'HEAD' ? null : await store.read(blob, span)
  // Set last: an error that is thrown above must not carry the headers of the file.
  void reply.headers({
    ...caching,
    'accept-ranges': 'bytes',
    'content-type': blob.contentType,
    'content-disposition': attachment(blob.name),
    'content-length': span ? span.end - span.start + 1 : blob.size,
  })
  if (span) void reply.code(206).header('content-range', `bytes ${span.start}-${span.end}/${blob.size}`)
  return bytes ? streamBody(reply, bytes) : reply.send()
}

/** Undefined: the complete file. Throws `range_not_satisfiable`. */
function requestedSpan(
  request: FastifyRequest,
  reply: FastifyReply,
  blob: Blob,
  etag: string,
): Span | undefined {
  const { range, 'if-range': ifRange } = request.headers
  const hasRange = request.method === 'GET' && range !== undefined
  if (!hasRange || (ifRange !== undefined && ifRange !== etag)) return undefined
  const span = readRange(range, blob.size)
  if (span) return span
  void reply.header('content-range', `bytes */${blob.size}`)
  throw new Refusal('range_not_satisfiable')
}

/** Whether If-None-Match holds this entity tag, compared weakly (RFC 9110 §13.1.2). */
const matchesEtag = (header: string | undefined, etag: string): boolean =>
  (header ?? '').split(',').some(each => [etag, '*'].includes(each.trim().replace(/^W\//, '')))

import { ensure, Refusal } from '@lectern/protocol'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Sendfile } from '../../../platform/config/sendfile.ts'
import { namesEntityTag } from '../../../platform/entity-tag.ts'
import type { Blob, BlobStore, Span } from '../../ports.ts'
import { attachment } from './disposition.ts'
import { readRange } from './range.ts'
import { streamBody } from './stream-body.ts'

/**
 * Answers GET and HEAD with a blob: conditional requests and one range (RFC 9110 §13, §14). `headers` are added to
 * those of a download, or replace them.
 */
export type SendBlob = (
  request: FastifyRequest,
  reply: FastifyReply,
  blob: Blob,
  headers?: Readonly<Record<string, string>>,
) => Promise<unknown>

/** With `sendfile`, a proxy that has forwarded the request sends the bytes, and the range of them. */
export const blobSender =
  (store: BlobStore, sendfile: Sendfile | null): SendBlob =>
  async (request, reply, blob, headers = {}) => {
    const etag = `"${blob.sha256}"`
    const caching = { etag, 'cache-control': 'private, no-cache' }
    const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = request.headers
    ensure(ifMatch === undefined || namesEntityTag(ifMatch, etag, 'strong'), 'precondition_failed')
    const isCurrent = ifNoneMatch !== undefined && namesEntityTag(ifNoneMatch, etag, 'weak')
    if (isCurrent) return reply.headers(caching).code(304).send()

    const span = requestedSpan(request, reply, blob, etag)
    const path = sendfile && isForwarded(request) ? await store.locate(blob) : null
    const isHead = request.method === 'HEAD'
    const bytes = isHead || path !== null ? null : await store.read(blob, span)
    if (isHead && path === null) ensure(await store.exists(blob), 'blob_not_found', 'The file is gone.')
    // Set last: an error that is thrown above must not carry the headers of the file.
    void reply.headers({
      ...caching,
      'content-type': blob.contentType,
      'content-disposition': attachment(blob.name),
      ...headers,
    })
    if (sendfile && path !== null) return reply.header(sendfile.header, sendfile.prefix + path).send()
    const length = span ? span.end - span.start + 1 : blob.size
    void reply.headers({ 'accept-ranges': 'bytes', 'content-length': length })
    if (span) void reply.code(206).header('content-range', `bytes ${span.start}-${span.end}/${blob.size}`)
    return bytes ? streamBody(reply, bytes) : reply.send()
  }

/** Whether a trusted proxy has forwarded the request: others need the bytes themselves. */
const isForwarded = ({ ips = [] }: FastifyRequest) => ips.length > 1

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

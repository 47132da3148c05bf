import type { IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Span } from '../../ports.ts'
import type { Bucket } from './bucket.ts'
import { S3Failure } from './failure.ts'

/** In a row, without a byte between them. */
const INTERRUPTIONS_MAX = 3
const PAUSE_MS = 300

/**
 * Streams a span of an object; null when there is no such object. Where the connection to S3 breaks, or S3 closed it because
 * the consumer was slow, reading continues. The iteration throws when bytes are missing; closing it cancels the request.
 */
export async function readSpan(
  bucket: Bucket,
  key: string,
  span: Span,
): Promise<AsyncGenerator<Buffer> | null> {
  const first = await bucket.get(key, span)
  return first && chunksOf(bucket, key, span, first)
}

async function* chunksOf(
  bucket: Bucket,
  key: string,
  { start, end }: Span,
  first: IncomingMessage,
): AsyncGenerator<Buffer> {
  let answer: IncomingMessage | null = first
  let interruptions = 0
  for (let position = start; position <= end; ) {
    answer ??= await bucket.get(key, { start: position, end })
    const isRange = answer?.headers['content-range']?.startsWith(`bytes ${position}-`)
    if (answer?.statusCode !== 206 || !isRange)
      throw new S3Failure('GetObject', null, 'not the range of the object')
    let fault: unknown = 'it ended early'
    try {
      for await (const chunk of answer as AsyncIterable<Buffer>) {
        // In the answer to a client, more than its length would be the beginning of the next one.
        if (position + chunk.length > end + 1) throw new S3Failure('GetObject', null, 'more than the range')
        position += chunk.length
        interruptions = 0
        yield chunk
      }
    } catch (error) {
      fault = error
    } finally {
      answer.destroy()
    }
    answer = null
    if (position > end) return
    if (++interruptions >= INTERRUPTIONS_MAX) throw S3Failure.ofError('GetObject', fault)
    await sleep(PAUSE_MS)
  }
}

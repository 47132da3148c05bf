import { isShown } from '../../files/content-type.ts'
import type { Blob, ConferenceFile } from '../../ports.ts'
import { attachment } from '../blobs/disposition.ts'

/** The policy with which browsers open a file of somebody else: it can do nothing. Chromium shows no PDF in a sandbox. */
const sandboxFor = (type: string) =>
  `default-src 'none'; frame-ancestors 'self'${type === 'application/pdf' ? '' : '; sandbox'}`

/** Headers of a file as it was uploaded. `nosniff` is sent with everything. */
export const contentHeaders = ({ name, contentType }: ConferenceFile): Record<string, string> => ({
  'content-type': contentType === 'text/plain' ? 'text/plain; charset=utf-8' : contentType,
  'content-disposition': attachment(name, isShown(contentType) ? 'inline' : 'attachment'),
  'content-security-policy': sandboxFor(contentType),
})

/** Headers of the picture of a page. */
export const pictureHeaders = (page: string, width: string, blob: Blob): Record<string, string> => ({
  'content-disposition': attachment(
    `page-${page}-${width}.${blob.contentType === 'image/png' ? 'png' : 'jpg'}`,
    'inline',
  ),
  'content-security-policy': sandboxFor(blob.contentType),
})

import { type FilePurpose, isOfficeType } from '@lectern/protocol'

/** How much of a file its type is read from. */
export const HEAD_BYTES = 4096

const startsWith =
  (...bytes: (number | string)[]) =>
  (head: Buffer) =>
    head
      .subarray(0, 16)
      .toString('latin1')
      .startsWith(bytes.map(each => (typeof each === 'string' ? each : String.fromCharCode(each))).join(''))

/** Audio and video have their type after a length. */
const isBoxOf = (brand: RegExp) => (head: Buffer) => brand.test(head.subarray(4, 12).toString('latin1'))

const isRiff = (form: string) => (head: Buffer) =>
  head.subarray(0, 4).toString('latin1') === 'RIFF' && head.subarray(8, 12).toString('latin1') === form

/** Readers accept what precedes the header. */
const isPdf = (head: Buffer) => head.subarray(0, 1024).includes('%PDF-')

const isZipWith = (name: string) => (head: Buffer) => startsWith('PK\x03\x04')(head) && head.includes(name)

/** In this order: a file that several match has the first one. */
const TYPES: [type: string, matches: (head: Buffer) => boolean][] = [
  ['image/png', startsWith(0x89, 'PNG\r\n\x1a\n')],
  ['image/jpeg', startsWith(0xff, 0xd8, 0xff)],
  ['image/webp', isRiff('WEBP')],
  ['image/gif', startsWith('GIF8')],
  ['audio/wav', isRiff('WAVE')],
  ['audio/mpeg', startsWith('ID3')],
  ['audio/ogg', startsWith('OggS')],
  ['video/webm', startsWith(0x1a, 0x45, 0xdf, 0xa3)],
  ['video/mp4', isBoxOf(/^ftyp/)],
  ['application/vnd.oasis.opendocument.presentation', isZipWith('opendocument.presentation')],
  ['application/vnd.oasis.opendocument.text', isZipWith('opendocument.text')],
  ['application/zip', startsWith('PK\x03\x04')],
  ['application/pdf', isPdf],
  ['text/plain', isText],
]

/** Text in UTF-8, HTML and scripts included: browsers get all of it as plain text. */
function isText(head: Buffer): boolean {
  if (head.length === 0 || head.subarray(0, 2).toString() === '#!') return false
  // The head may end within a character.
  const text = new TextDecoder().decode(head.subarray(0, HEAD_BYTES - 4))
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is about them
  return !/[\u0000-\u0008\u000e-\u001a\ufffd]/.test(text)
}

/** The type of a file by its beginning; null: of no kind that is accepted. */
export const contentTypeOf = (head: Buffer): string | null =>
  TYPES.find(([, matches]) => matches(head))?.[0] ?? null

const IMAGES = ['image/png', 'image/jpeg', 'image/webp']

/** Which types a purpose accepts; `isOffice`: whether slides may be office documents. */
export const isAccepted = (purpose: FilePurpose, type: string, isOffice: boolean): boolean =>
  purpose === 'chat_file' ||
  IMAGES.includes(type) ||
  (purpose === 'slides' && (type === 'application/pdf' || (isOffice && isOfficeType(type))))

/** Which files browsers show; all others are downloaded. */
export const isShown = (type: string): boolean => type.startsWith('image/') || type === 'application/pdf'

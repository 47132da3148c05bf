import { writeZip } from '@lectern/common/zip'
import { OFFICE_TYPES } from '@lectern/protocol'
import { describe, expect, it } from 'vitest'
import { typeOf } from './type-of.ts'

const inMemory = (bytes: Buffer) => ({
  size: bytes.length,
  read: async (start: number, length: number) => bytes.subarray(start, start + length),
})
const typeOfSlides = (bytes: Buffer) => typeOf(inMemory(bytes), 'slides')

const OOXML = 'application/vnd.openxmlformats-officedocument'
/** The directory of parts may be anywhere in the archive, and is compressed. */
const ooxml = (mainType: string) =>
  writeZip([
    ['docProps/app.xml', Buffer.alloc(100_000)],
    ['[Content_Types].xml', `<Types><Override PartName="/main.xml" ContentType="${mainType}"/></Types>`],
  ])

/** An OLE 2 file with this name in its directory. */
function ole2(name: string, shift = 9): Buffer {
  const sector = 2 ** shift
  const bytes = Buffer.alloc(4 * sector)
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(bytes)
  bytes.writeUInt16LE(shift, 30)
  bytes.writeUInt32LE(1, 48)
  Buffer.from('Root Entry', 'utf16le').copy(bytes, 2 * sector)
  Buffer.from(name, 'utf16le').copy(bytes, 2 * sector + 128)
  return bytes
}

describe('an office document', () => {
  it.each([
    [
      'a presentation of PowerPoint',
      ooxml(`${OOXML}.presentationml.presentation.main+xml`),
      OFFICE_TYPES.pptx,
    ],
    ['a slide show of PowerPoint', ooxml(`${OOXML}.presentationml.slideshow.main+xml`), OFFICE_TYPES.ppsx],
    ['a document of Word', ooxml(`${OOXML}.wordprocessingml.document.main+xml`), OFFICE_TYPES.docx],
    ['an OpenDocument presentation', writeZip([['mimetype', OFFICE_TYPES.odp]]), OFFICE_TYPES.odp],
    ['an OpenDocument text', writeZip([['mimetype', `${OFFICE_TYPES.odt}\n`]]), OFFICE_TYPES.odt],
    ['one with a password', ole2('EncryptedPackage'), OFFICE_TYPES.encrypted],
    ['one with a password in large sectors', ole2('EncryptedPackage', 12), OFFICE_TYPES.encrypted],
    ['one with macros', ooxml('application/vnd.ms-powerpoint.presentation.macroEnabled.main+xml'), null],
    ['a text with macros', ooxml('application/vnd.ms-word.document.macroEnabled.main+xml'), null],
    ['a spreadsheet', ooxml(`${OOXML}.spreadsheetml.sheet.main+xml`), null],
    [
      'an OpenDocument spreadsheet',
      writeZip([['mimetype', 'application/vnd.oasis.opendocument.spreadsheet']]),
      null,
    ],
    ['a file that names its type elsewhere', writeZip([['a.txt', OFFICE_TYPES.odp]]), null],
    ['one of PowerPoint 97', ole2('PowerPoint Document'), null],
    ['an OLE 2 file that is cut off', ole2('EncryptedPackage').subarray(0, 40), null],
    ['an OLE 2 file without a size', ole2('EncryptedPackage').fill(0, 30, 32), null],
    ['any archive', writeZip([['a.txt', 'x']]), null],
    [
      'a directory of parts that is a bomb',
      writeZip([
        ['a', ''],
        ['[Content_Types].xml', Buffer.alloc(9_000_000)],
      ]),
      null,
    ],
  ])('%s has its type by content', async (_, bytes, type) => {
    expect(await typeOfSlides(bytes)).toBe(type)
  })

  it('stays an archive in chats', async () => {
    expect(await typeOf(inMemory(ooxml(`${OOXML}.wordprocessingml.document.main+xml`)), 'chat_file')).toBe(
      'application/zip',
    )
  })
})

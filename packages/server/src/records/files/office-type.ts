import { type RandomAccess, readZipEntry } from '@lectern/common/zip'
import { OFFICE_TYPES, type OfficeType } from '@lectern/protocol'

const ZIP = Buffer.from('PK\x03\x04', 'latin1')
const OLE2 = Buffer.from('d0cf11e0a1b11ae1', 'hex')

const MIMETYPE_MAX_BYTES = 200
const CONTENT_TYPES_MAX_BYTES = 1_000_000

/** The types of the main part. Those of templates and of documents with macros are not accepted. */
const MAIN_PARTS: Readonly<Record<string, OfficeType>> = {
  [`${OFFICE_TYPES.pptx}.main+xml`]: OFFICE_TYPES.pptx,
  [`${OFFICE_TYPES.ppsx}.main+xml`]: OFFICE_TYPES.ppsx,
  [`${OFFICE_TYPES.docx}.main+xml`]: OFFICE_TYPES.docx,
}

/** Whether a file may be an office document, by its first 8 bytes or more. */
export const mayBeOffice = (head: Buffer): boolean =>
  head.subarray(0, ZIP.length).equals(ZIP) || head.subarray(0, OLE2.length).equals(OLE2)

/** Which kind of office document a file is, by its content; null: none that can be slides. */
export async function officeTypeOf(file: RandomAccess): Promise<OfficeType | null> {
  const head = await file.read(0, OLE2_HEAD_BYTES)
  if (head.subarray(0, OLE2.length).equals(OLE2)) return (await isEncrypted(file, head)) ? ENCRYPTED : null
  if (!mayBeOffice(head)) return null
  const mimetype = (await readZipEntry(file, 'mimetype', MIMETYPE_MAX_BYTES))?.toString('latin1').trim()
  if (mimetype !== undefined) return ODF_TYPES.find(type => type === mimetype) ?? null
  const parts = await readZipEntry(file, '[Content_Types].xml', CONTENT_TYPES_MAX_BYTES)
  for (const [, type = ''] of (parts?.toString() ?? '').matchAll(/ContentType\s*=\s*["']([^"']+)["']/g))
    if (Object.hasOwn(MAIN_PARTS, type)) return MAIN_PARTS[type] ?? null
  return null
}

const ODF_TYPES: readonly OfficeType[] = [OFFICE_TYPES.odp, OFFICE_TYPES.odt]
const ENCRYPTED = OFFICE_TYPES.encrypted

const OLE2_HEAD_BYTES = 512
const SHIFT_AT = 30
const SHIFTS = [9, 12]
const DIRECTORY_AT = 48
/** The first entries are enough: a document with a password has few. */
const DIRECTORY_BYTES = 4096
const PACKAGE = Buffer.from('EncryptedPackage', 'utf16le')

/** A document with a password is the only content of an OLE 2 file. Others are of formats that are not accepted. */
async function isEncrypted(file: RandomAccess, head: Buffer): Promise<boolean> {
  if (head.length < OLE2_HEAD_BYTES) return false
  const shift = head.readUInt16LE(SHIFT_AT)
  if (!SHIFTS.includes(shift)) return false
  const directoryAt = (head.readUInt32LE(DIRECTORY_AT) + 1) * 2 ** shift
  return (await file.read(directoryAt, DIRECTORY_BYTES)).includes(PACKAGE)
}

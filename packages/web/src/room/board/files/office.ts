const OOXML = 'application/vnd.openxmlformats-officedocument'
const ODF = 'application/vnd.oasis.opendocument'

export const OFFICE_MIME_TYPES = [
  `${OOXML}.presentationml.presentation`,
  `${OOXML}.presentationml.slideshow`,
  `${OOXML}.wordprocessingml.document`,
  `${ODF}.presentation`,
  `${ODF}.text`,
].join()

/** Those that servers do not take are among them: the sentence about them says what else to do. */
const NAMES = /\.(?:pp[st][xm]?|do[ct][xm]?|od[pt])$/i

/** Whether somebody means it as an office document. */
export const isNamedOffice = ({ name }: File): boolean => NAMES.test(name)

/** ZIP archives and OLE 2 files: no PDF and no image begins like them. */
const BEGINNINGS = ['504b0304', 'd0cf11e0']

/** Whether a file may be an office document, whatever its name. */
export async function isOffice(file: File): Promise<boolean> {
  const bytes = new Uint8Array(await file.slice(0, 4).arrayBuffer())
  const beginning = Array.from(bytes, each => each.toString(16).padStart(2, '0')).join('')
  return BEGINNINGS.includes(beginning)
}

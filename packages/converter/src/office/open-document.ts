import { writeZip } from '@lectern/common/zip'
import { OFFICE_TYPES } from '@lectern/protocol'

const NAMESPACES = ['office', 'text', 'script', 'manifest', 'table']
  .map(name => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`)
  .concat(
    'xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"',
    'xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"',
    'xmlns:xlink="http://www.w3.org/1999/xlink"',
    'xmlns:dom="http://www.w3.org/2001/xml-events"',
    'xmlns:ooo="http://openoffice.org/2004/office"',
  )
  .join(' ')

type OpenDocumentType = typeof OFFICE_TYPES.odp | typeof OFFICE_TYPES.odt

const BODIES: Record<OpenDocumentType, 'presentation' | 'text'> = {
  [OFFICE_TYPES.odp]: 'presentation',
  [OFFICE_TYPES.odt]: 'text',
}

export interface OpenDocumentParts {
  /** Bytes before the body. */
  before?: string
  /** More files, with their types and what their entries in the manifest contain. */
  files?: readonly { name: string; content: string | Buffer; type?: string; entry?: string }[]
}

/** An OpenDocument file with this content of its body. */
export function openDocument(
  type: OpenDocumentType,
  body: string,
  { before = '', files = [] }: OpenDocumentParts = {},
): Buffer {
  const kind = `office:${BODIES[type]}`
  const content = `<office:document-content ${NAMESPACES} office:version="1.2">${before}<office:body><${kind}>${body}</${kind}></office:body></office:document-content>`
  const entries = [
    { name: '/', type, entry: '' },
    { name: 'content.xml', type: 'text/xml', entry: '' },
    ...files,
  ].map(
    ({ name, type = '', entry = '' }) =>
      `<manifest:file-entry manifest:full-path="${name}" manifest:media-type="${type}">${entry}</manifest:file-entry>`,
  )
  const manifest = `<manifest:manifest ${NAMESPACES} manifest:version="1.2">${entries.join('')}</manifest:manifest>`
  return writeZip([
    ['mimetype', type],
    ['META-INF/manifest.xml', manifest],
    ['content.xml', content],
    ...files.map(({ name, content }) => [name, content] as const),
  ])
}

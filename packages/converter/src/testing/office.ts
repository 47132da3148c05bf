import { writeZip } from '@lectern/common/zip'
import { OFFICE_TYPES } from '@lectern/protocol'

const OOXML = 'http://schemas.openxmlformats.org'
const RELATIONSHIPS = `${OOXML}/officeDocument/2006/relationships`

interface Relationship {
  id: string
  /** The last part of its type. */
  type: string
  target: string
  isExternal?: boolean
}

const relationships = (all: readonly Relationship[]) =>
  `<Relationships xmlns="${OOXML}/package/2006/relationships">${all
    .map(
      ({ id, type, target, isExternal }) =>
        `<Relationship Id="${id}" Type="${RELATIONSHIPS}/${type}" Target="${target}"${isExternal ? ' TargetMode="External"' : ''}/>`,
    )
    .join('')}</Relationships>`

const contentTypes = (parts: readonly (readonly [part: string, type: string])[]) =>
  `<Types xmlns="${OOXML}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${parts
    .map(([part, type]) => `<Override PartName="/${part}" ContentType="${type}"/>`)
    .join('')}</Types>`

const NAMESPACES = `xmlns:a="${OOXML}/drawingml/2006/main" xmlns:p="${OOXML}/presentationml/2006/main" xmlns:r="${RELATIONSHIPS}" xmlns:w="${OOXML}/wordprocessingml/2006/main" xmlns:wp="${OOXML}/drawingml/2006/wordprocessingDrawing" xmlns:pic="${OOXML}/drawingml/2006/picture" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:v="urn:schemas-microsoft-com:vml"`

/** A document of Word with this body. */
export const docx = (body: string, linked: readonly Relationship[] = []): Buffer =>
  writeZip([
    ['[Content_Types].xml', contentTypes([['word/document.xml', `${OFFICE_TYPES.docx}.main+xml`]])],
    ['_rels/.rels', relationships([{ id: 'rId1', type: 'officeDocument', target: 'word/document.xml' }])],
    ['word/document.xml', `<w:document ${NAMESPACES}><w:body>${body}</w:body></w:document>`],
    ['word/_rels/document.xml.rels', relationships(linked)],
  ])

export const wordText = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`

/** A box with a text. */
export const slideText = (text: string) =>
  `<p:sp><p:nvSpPr><p:cNvPr id="2" name="Text"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr><a:xfrm><a:off x="1000000" y="1000000"/><a:ext cx="6000000" cy="1000000"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr><p:txBody><a:bodyPr/><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp>`

/** A presentation of PowerPoint with one slide, which has these shapes. */
export function pptx(
  shapes: string,
  { linked = [], isShow = false }: { linked?: readonly Relationship[]; isShow?: boolean } = {},
): Buffer {
  const tree = (content: string) =>
    `<p:cSld><p:spTree><p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>${content}</p:spTree></p:cSld>`
  const part = (name: string, content: string) => `<p:${name} ${NAMESPACES}>${content}</p:${name}>`
  const type = (name: string) => `application/vnd.openxmlformats-officedocument.presentationml.${name}+xml`
  const map =
    '<p:clrMap bg1="lt1" tx1="dk1" bg2="lt2" tx2="dk2" accent1="accent1" accent2="accent2" accent3="accent3" accent4="accent4" accent5="accent5" accent6="accent6" hlink="hlink" folHlink="folHlink"/>'
  return writeZip([
    [
      '[Content_Types].xml',
      contentTypes([
        ['ppt/presentation.xml', type(isShow ? 'slideshow.main' : 'presentation.main')],
        ['ppt/slides/slide1.xml', type('slide')],
        ['ppt/slideLayouts/slideLayout1.xml', type('slideLayout')],
        ['ppt/slideMasters/slideMaster1.xml', type('slideMaster')],
      ]),
    ],
    ['_rels/.rels', relationships([{ id: 'rId1', type: 'officeDocument', target: 'ppt/presentation.xml' }])],
    [
      'ppt/presentation.xml',
      part(
        'presentation',
        '<p:sldMasterIdLst><p:sldMasterId id="2147483648" r:id="rId2"/></p:sldMasterIdLst><p:sldIdLst><p:sldId id="256" r:id="rId1"/></p:sldIdLst><p:sldSz cx="9144000" cy="5143500"/>',
      ),
    ],
    [
      'ppt/_rels/presentation.xml.rels',
      relationships([
        { id: 'rId1', type: 'slide', target: 'slides/slide1.xml' },
        { id: 'rId2', type: 'slideMaster', target: 'slideMasters/slideMaster1.xml' },
      ]),
    ],
    ['ppt/slides/slide1.xml', part('sld', tree(shapes))],
    [
      'ppt/slides/_rels/slide1.xml.rels',
      relationships([
        { id: 'rId1', type: 'slideLayout', target: '../slideLayouts/slideLayout1.xml' },
        ...linked,
      ]),
    ],
    ['ppt/slideLayouts/slideLayout1.xml', part('sldLayout', tree(''))],
    [
      'ppt/slideLayouts/_rels/slideLayout1.xml.rels',
      relationships([{ id: 'rId1', type: 'slideMaster', target: '../slideMasters/slideMaster1.xml' }]),
    ],
    [
      'ppt/slideMasters/slideMaster1.xml',
      part(
        'sldMaster',
        `${tree('')}${map}<p:sldLayoutIdLst><p:sldLayoutId id="2147483649" r:id="rId1"/></p:sldLayoutIdLst>`,
      ),
    ],
    [
      'ppt/slideMasters/_rels/slideMaster1.xml.rels',
      relationships([{ id: 'rId1', type: 'slideLayout', target: '../slideLayouts/slideLayout1.xml' }]),
    ],
  ])
}

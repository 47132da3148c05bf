import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import {
  convert,
  docx,
  FakeHeldJob,
  findOfficeFault,
  openDocument,
  openSandbox,
  pptx,
  type Sandbox,
  slideText,
  wordText,
} from '@lectern/converter/testing'
import { OFFICE_TYPES, type OfficeType } from '@lectern/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const { pptx: PPTX, ppsx: PPSX, docx: DOCX, odp: ODP, odt: ODT, encrypted: ENCRYPTED } = OFFICE_TYPES

const root = mkdtempSync(join(tmpdir(), 'lectern-office-'))
/** A file of this machine that documents ask for. */
const secret = join(root, 'secret.txt')
const picture = join(root, 'red.png')
let sandbox: Sandbox
let server: Server
let requests = 0
let jobs = 0
beforeAll(async () => {
  sandbox = await openSandbox({ isSandboxed: true })
  expect(await findOfficeFault(sandbox), 'npm run test:endurance -- office installs LibreOffice').toBeNull()
  writeFileSync(secret, 'the secret of this machine')
  await promisify(execFile)('ffmpeg', [
    ...['-v', 'error', '-f', 'lavfi', '-i', 'color=red:size=64x64', '-frames:v', '1', picture],
  ])
  server = createServer((_, answer) => {
    requests++
    answer.end(readFileSync(picture))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
})
afterAll(() => {
  server.close()
  rmSync(root, { recursive: true })
})

const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/red.png`

/** What becomes of a document. */
async function resultOf(type: OfficeType, document: Buffer, officeMs?: number) {
  const folder = join(root, `job-${++jobs}`)
  const job = new FakeHeldJob(folder, document, type)
  const { result } = await convert(job, sandbox, officeMs ? { officeMs } : {})
  const texts = job.pages.map(({ lines }) => lines.map(({ text }) => text).join(' '))
  return { failure: result.failure, texts, job, folder }
}

/** Whether a page has a pixel as red as the picture. */
async function hasRed(job: FakeHeldJob): Promise<boolean> {
  const [path, bytes] = [...job.files].find(([name]) => name.startsWith('pages/1/320.')) ?? []
  expect(path).toBeDefined()
  const file = join(job.folder, 'page')
  writeFileSync(file, bytes as Buffer)
  const { stdout } = await promisify(execFile)(
    'ffmpeg',
    ['-v', 'error', '-i', file, '-f', 'rawvideo', '-pix_fmt', 'rgb24', '-'],
    { encoding: 'buffer', maxBuffer: 100_000_000 },
  )
  for (let at = 0; at < stdout.length; at += 3)
    if ((stdout[at] ?? 0) > 200 && (stdout[at + 1] ?? 0) < 80 && (stdout[at + 2] ?? 0) < 80) return true
  return false
}

const box = (content: string) =>
  `<draw:page><draw:frame svg:x="1cm" svg:y="1cm" svg:width="9cm" svg:height="9cm">${content}</draw:frame></draw:page>`
const odpText = (text: string) => box(`<draw:text-box><text:p>${text}</text:p></draw:text-box>`)
const odtText = (text: string) => `<text:p>${text}</text:p>`

const image = (href: string) =>
  `<draw:image xlink:href="${href}" xlink:type="simple" xlink:show="embed" xlink:actuate="onLoad"/>`

describe('an office document', () => {
  it.each<[string, OfficeType, Buffer]>([
    ['a presentation of PowerPoint', PPTX, pptx(slideText('Fractions'))],
    ['a slide show of PowerPoint', PPSX, pptx(slideText('Fractions'), { isShow: true })],
    ['a document of Word', DOCX, docx(wordText('Fractions'))],
    ['an OpenDocument presentation', ODP, openDocument(ODP, odpText('Fractions'))],
    ['an OpenDocument text', ODT, openDocument(ODT, odtText('Fractions'))],
  ])('%s becomes a page with its text', async (_, type, document) => {
    expect(await resultOf(type, document)).toMatchObject({ failure: null, texts: ['Fractions'] })
  })

  it.each<[string, OfficeType, Buffer, string]>([
    ['is cut off', DOCX, docx(wordText('x'.repeat(9_000))).subarray(0, -400), 'damaged'],
    ['is none at all', ODP, Buffer.from('PK\x03\x04 nothing'), 'damaged'],
    ['is of another kind than announced', PPTX, openDocument(ODT, odtText('x')), 'damaged'],
    ['is a PDF in front of an archive', ODT, Buffer.from('%PDF-1.7\nnothing'), 'damaged'],
    ['has a password', ENCRYPTED, Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'encrypted'],
    ['has encrypted parts', ODT, withPassword(), 'encrypted'],
    [
      'has more pages than slides may have',
      ODP,
      openDocument(ODP, odpText('x').repeat(600)),
      'too_many_pages',
    ],
  ])('that %s says so', async (_, type, document, failure) => {
    const { failure: found, texts } = await resultOf(type, document)
    expect({ found, texts }).toEqual({ found: failure, texts: [] })
  })

  it.each<[string, OfficeType, () => Buffer]>([
    ['an OpenDocument image', ODP, () => openDocument(ODP, odpText('Fractions') + box(image(address())))],
    ['an OpenDocument image of a file', ODP, () => openDocument(ODP, box(image(`file://${picture}`)))],
    ['an image of Word', DOCX, () => docx(wordImage, [external('image', address())])],
    ['an image of a file in Word', DOCX, () => docx(wordImage, [external('image', `file://${picture}`)])],
    ['a picture of PowerPoint', PPTX, () => pptx(slideImage, { linked: [external('image', address())] })],
    [
      'a picture of a file',
      PPTX,
      () => pptx(slideImage, { linked: [external('image', `file://${picture}`)] }),
    ],
    ['a linked OLE object', DOCX, () => docx(wordObject, [external('oleObject', `file://${secret}`)])],
    ['a template elsewhere', DOCX, () => docx(wordText('x'), [external('attachedTemplate', address())])],
    ['a section of a file', ODT, () => openDocument(ODT, section(`file://${secret}`))],
    ['a section of the system', ODT, () => openDocument(ODT, section('file:///etc/passwd'))],
    [
      'an object of a file',
      ODP,
      () => openDocument(ODP, box(`<draw:object xlink:href="file://${secret}"/>`)),
    ],
    ['a frame of an address', ODT, () => openDocument(ODT, `<text:p>${frame(address())}</text:p>`)],
  ])('that has %s gets nothing of it', async (_, type, document) => {
    const before = requests
    const { failure, texts, job } = await resultOf(type, document())
    expect(failure).toBeNull()
    expect(requests).toBe(before)
    expect(texts.join()).not.toMatch(/secret|root:/)
    expect(await hasRed(job)).toBe(false)
  })

  it('runs no macro when it is opened', async () => {
    const { failure, texts } = await resultOf(ODT, withMacro())
    expect({ failure, texts }).toEqual({ failure: null, texts: ['before'] })
  })

  it('that unpacks to gigabytes ends, and harms nothing', async () => {
    const bomb = openDocument(ODT, '<text:p>x</text:p>'.repeat(12_000_000))
    const { failure, texts, folder } = await resultOf(ODT, bomb, 10_000)
    expect(['too_slow', 'too_large', 'damaged', 'too_many_pages']).toContain(failure)
    expect([texts, commandsWith(folder)]).toEqual([[], []])
  })

  it('that takes too long is killed with all that it has started', async () => {
    const long = openDocument(ODT, odtText('x').repeat(2_000_000))
    // Starting LibreOffice takes most of it.
    const { failure, folder } = await resultOf(ODT, long, 2_000)
    expect(failure).toBe('too_slow')
    expect(commandsWith(folder)).toEqual([])
  })
})

/** The command lines of processes of this machine that contain a text; those of a sandbox name the folder of their job. */
const commandsWith = (text: string): string[] =>
  readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(pid => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      } catch {
        return '' // it has ended
      }
    })
    .filter(command => command.includes(text))

const external = (type: string, target: string) => ({ id: 'rId9', type, target, isExternal: true })
const extent = '<wp:extent cx="3000000" cy="3000000"/>'
const shape =
  '<a:xfrm><a:off x="0" y="0"/><a:ext cx="3000000" cy="3000000"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom>'
const fill = '<a:blip r:link="rId9"/><a:stretch><a:fillRect/></a:stretch>'
const wordImage = `<w:p><w:r><w:drawing><wp:inline>${extent}<wp:docPr id="1" name="x"/><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic><pic:nvPicPr><pic:cNvPr id="1" name="x"/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill>${fill}</pic:blipFill><pic:spPr>${shape}</pic:spPr></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`
const wordObject =
  '<w:p><w:r><w:object><v:shape id="s" style="width:90pt;height:90pt"/><o:OLEObject Type="Link" ProgID="Word.Document.12" ShapeID="s" DrawAspect="Content" r:id="rId9" UpdateMode="Always"/></w:object></w:r></w:p>'
const slideImage = `<p:pic><p:nvPicPr><p:cNvPr id="3" name="x"/><p:cNvPicPr/><p:nvPr/></p:nvPicPr><p:blipFill>${fill}</p:blipFill><p:spPr>${shape}</p:spPr></p:pic>`
const section = (href: string) =>
  `<text:section text:name="s"><text:section-source xlink:href="${href}" text:filter-name="Text"/><text:p/></text:section>`
const frame = (href: string) =>
  `<draw:frame svg:width="9cm" svg:height="9cm"><draw:floating-frame xlink:href="${href}"/></draw:frame>`

/** The password is not needed to see that there is one. */
function withPassword(): Buffer {
  const entry =
    '<manifest:encryption-data manifest:checksum-type="SHA1/1K" manifest:checksum="x"><manifest:algorithm manifest:algorithm-name="Blowfish CFB"/></manifest:encryption-data>'
  return openDocument(ODT, odtText('x'), {
    files: [{ name: 'other.xml', content: 'x', type: 'text/xml', entry }],
  })
}

/** A macro that writes into the document when it is opened. */
function withMacro(): Buffer {
  const library =
    'xmlns:library="http://openoffice.org/2000/library" xmlns:xlink="http://www.w3.org/1999/xlink"'
  const files = {
    'Basic/script-lc.xml': `<library:libraries ${library}><library:library library:name="Standard" library:link="false"/></library:libraries>`,
    'Basic/Standard/script-lb.xml': `<library:library ${library} library:name="Standard" library:readonly="false" library:passwordprotected="false"><library:element library:name="Main"/></library:library>`,
    'Basic/Standard/Main.xml': `<script:module xmlns:script="http://openoffice.org/2000/script" script:name="Main" script:language="StarBasic">Sub Main\nThisComponent.Text.String = "after"\nEnd Sub</script:module>`,
  }
  const before =
    '<office:scripts><office:event-listeners><script:event-listener script:language="ooo:script" script:event-name="dom:load" xlink:href="vnd.sun.star.script:Standard.Main.Main?language=Basic&amp;location=document" xlink:type="simple"/></office:event-listeners></office:scripts>'
  return openDocument(ODT, odtText('before'), {
    before,
    files: Object.entries(files).map(([name, content]) => ({ name, content, type: 'text/xml' })),
  })
}

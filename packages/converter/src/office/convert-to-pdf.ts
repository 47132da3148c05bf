import { open } from 'node:fs/promises'
import { readZipEntry } from '@lectern/common/zip'
import { DOCUMENT_PAGES_MAX, OFFICE_TYPES, type OfficeType, PDF_MAX_BYTES } from '@lectern/protocol'
import { CannotBeShown, reasonOf } from '../pages/failure.ts'
import type { Sandbox } from '../sandbox/index.ts'
import { PROFILE } from './profile.ts'

type Convertible = Exclude<OfficeType, typeof OFFICE_TYPES.encrypted>

/** How LibreOffice reads each type and writes it: no other filter of its hundreds opens a document. */
const FILTERS: Record<Convertible, { name: string; reads: string; writes: string }> = {
  [OFFICE_TYPES.pptx]: {
    name: 'document.pptx',
    reads: 'Impress MS PowerPoint 2007 XML',
    writes: 'impress_pdf_Export',
  },
  [OFFICE_TYPES.ppsx]: {
    name: 'document.ppsx',
    reads: 'Impress MS PowerPoint 2007 XML AutoPlay',
    writes: 'impress_pdf_Export',
  },
  [OFFICE_TYPES.docx]: { name: 'document.docx', reads: 'MS Word 2007 XML', writes: 'writer_pdf_Export' },
  [OFFICE_TYPES.odp]: { name: 'document.odp', reads: 'impress8', writes: 'impress_pdf_Export' },
  [OFFICE_TYPES.odt]: { name: 'document.odt', reads: 'writer8', writes: 'writer_pdf_Export' },
}

/** One page more than permitted, so that there are too many. */
const PAGES = JSON.stringify({ PageRange: { type: 'string', value: `1-${DOCUMENT_PAGES_MAX + 1}` } })
const MANIFEST_MAX_BYTES = 4_000_000
const OPEN_FILES = 256

/**
 * The program itself, with its libraries, because its starter and the loader look for them in /proc. Its profile is new, and
 * comes from standard input; with a new one it may prepare it and ask to be started again, by the code 81. A
 * document that it cannot read is no failure to it; then the file is missing.
 */
const SCRIPT = `
mkdir -p profile/user && cat > profile/user/registrymodifications.xcu || exit 1
program=$(readlink -f "$(command -v soffice)")
export LD_LIBRARY_PATH=\${program%/*} TMPDIR=$PWD MALLOC_ARENA_MAX=2 SAL_USE_VCLPLUGIN=svp
convert() {
  "$program.bin" --headless --nologo --norestore --nolockcheck --nodefault --nofirststartwizard \\
    "-env:UserInstallation=file://$PWD/profile" "--infilter=$1" --convert-to "$2" --outdir pdf "$3" >&2
}
convert "$@"
code=$?
[ $code -ne 81 ] || { convert "$@"; code=$?; }
[ $code -eq 0 ] || exit $code
cat pdf/document.pdf
`

/** The PDF of an office document. `withinMs`: of processor time. Throws CannotBeShown. */
export async function convertToPdf(
  sandbox: Sandbox,
  { file, type }: { file: string; type: OfficeType },
  withinMs: number,
  signal?: AbortSignal,
): Promise<Buffer> {
  if (type === OFFICE_TYPES.encrypted || (await isEncrypted(file))) throw new CannotBeShown('encrypted')
  const { name, reads, writes } = FILTERS[type]
  const task = {
    command: ['sh', '-c', SCRIPT, 'sh', reads, `pdf:${writes}:${PAGES}`, name],
    files: { [name]: file },
    stdin: PROFILE,
    withinMs,
    maxBytes: PDF_MAX_BYTES,
    openFiles: OPEN_FILES,
  }
  const result = await sandbox.run(task, signal)
  const bytes = result.outputs[0]
  if (result.code !== 0 || !bytes || bytes.length === 0) throw new CannotBeShown(reasonOf(result))
  return bytes
}

/** Whether parts of an OpenDocument file need a password, which LibreOffice does not say. */
async function isEncrypted(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const read = async (start: number, length: number) => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, start)
      return buffer.subarray(0, bytesRead)
    }
    const manifest = await readZipEntry({ size, read }, 'META-INF/manifest.xml', MANIFEST_MAX_BYTES)
    return manifest?.includes('encryption-data') ?? false
  } finally {
    await file.close()
  }
}

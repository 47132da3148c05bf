import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { OFFICE_TYPES } from '@lectern/protocol'
import type { Sandbox } from '../sandbox/index.ts'
import { convertToPdf } from './convert-to-pdf.ts'
import { openDocument } from './open-document.ts'

/** Limits of processor time and of elapsed time. The server waits two minutes for a converter. */
const PROBE_CPU_MS = 30_000
const PROBE_WITHIN_MS = 90_000

/** The smallest documents of the two programs, and the Debian packages of these. */
const PROBES = [
  [OFFICE_TYPES.odp, '<draw:page/>', 'libreoffice-impress-nogui'],
  [OFFICE_TYPES.odt, '<text:p/>', 'libreoffice-writer-nogui'],
] as const

/** Why office documents cannot be converted on this machine; null: they can, because two were. */
export async function findOfficeFault(sandbox: Sandbox): Promise<string | null> {
  const folder = await mkdtemp(join(tmpdir(), 'lectern-office-'))
  const signal = AbortSignal.timeout(PROBE_WITHIN_MS)
  try {
    for (const [type, body, debianPackage] of PROBES) {
      const file = join(folder, 'document')
      await writeFile(file, openDocument(type, body))
      const failed = await convertToPdf(sandbox, { file, type }, PROBE_CPU_MS, signal).then(
        () => false,
        () => true,
      )
      if (failed) return `LibreOffice converts no documents. Install ${debianPackage}.`
    }
    return null
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

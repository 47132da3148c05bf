import { PDF_MAX_BYTES } from '@lectern/protocol'
import { clamdAddress } from '../../platform/config/clamd.ts'
import { type Check, fail, ok } from './check.ts'

/** The harmless file that every scanner reports (eicar.org); in two parts, so that this program is not reported. */
const EICAR = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-', 'STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('')

/** Scans the test file, and a file of the maximum size. */
export const clamd: Check = async ({ config, scan }) => {
  const address = clamdAddress(config)
  if (!address) return ok('Not used: files are not scanned for viruses.')
  const where = config.Files.Clamd
  try {
    const found = await scan(address, Buffer.from(EICAR))
    if (found.is !== 'infected')
      return fail(`${where} does not find the EICAR test file.`, 'Update its signatures: run freshclam.')
    const large = await scan(address, Buffer.alloc(PDF_MAX_BYTES))
    if (large.is !== 'clean')
      return fail(
        `${where} does not scan files of ${PDF_MAX_BYTES / 1_000_000} MB.`,
        'Raise StreamMaxLength and MaxFileSize in clamd.conf (docs/slides.md#viruses).',
      )
    return ok(`${where} finds ${found.signature}.`)
  } catch (error) {
    return fail(
      `${(error as Error).message} (${where}); uploads are refused.`,
      'Start clamav-daemon, or correct [Files] Clamd.',
    )
  }
}

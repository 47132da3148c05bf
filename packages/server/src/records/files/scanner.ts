import { Refusal } from '@lectern/protocol'
import type { Logger } from 'pino'
import type { Blob } from '../ports.ts'
import { Clamd, ScannerUnavailable, type ScanResult } from './clamd.ts'

/** Looks for viruses in what people and partners upload. */
export interface Scanner {
  /** Throws `scan_unavailable`. */
  assertAvailable: () => Promise<void>
  /** Throws `file_infected`, `payload_too_large` if the file could not be scanned as a whole, or `scan_unavailable`. */
  assertClean: (blob: Pick<Blob, 'id'>, open: () => Promise<AsyncIterable<Buffer>>) => Promise<void>
}

export const noScanner: Scanner = { assertAvailable: async () => {}, assertClean: async () => {} }

/** Files are refused while clamd cannot be used. */
export class ClamdScanner implements Scanner {
  readonly #clamd: Clamd
  readonly #log: Logger

  constructor(address: ConstructorParameters<typeof Clamd>[0]['address'], log: Logger) {
    this.#clamd = new Clamd({ address })
    this.#log = log
  }

  assertAvailable = (): Promise<void> => this.#clamd.ping().catch(error => this.#refuse(error))

  assertClean: Scanner['assertClean'] = async ({ id }, open) => {
    const result: ScanResult = await this.#clamd.scan(open).catch(error => this.#refuse(error))
    if (result.is === 'clean') return
    this.#log.warn({ file_id: id, ...result }, 'an uploaded file is refused by clamd')
    if (result.is === 'infected') throw new Refusal('file_infected')
    throw new Refusal('payload_too_large', 'The file is too large to be checked for viruses.')
  }

  #refuse(error: unknown): never {
    if (!(error instanceof ScannerUnavailable)) throw error
    this.#log.error({ err: error }, 'uploads are refused: [Files] Clamd cannot be used')
    throw new Refusal('scan_unavailable')
  }
}

import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** PEM files. */
export interface Certificate {
  key: string
  cert: string
}

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']

/** A certificate authority of a test, with its files in a folder. */
export class TestAuthority {
  readonly #folder: string
  readonly #name: string
  /** The certificate of the authority itself. */
  readonly cert: string
  readonly #key: string

  constructor(folder: string, name = 'authority') {
    this.#folder = folder
    this.#name = name
    this.cert = join(folder, `${name}.pem`)
    this.#key = join(folder, `${name}.key`)
    run(['req', '-x509', ...NEW_KEY, ...this.#out(this.#key, this.cert), '-subj', `/CN=${name}`])
  }

  /** For a host, as in `DNS:db.example` or `IP:127.0.0.1`. */
  issue(name: string, host: string): Certificate {
    const files = { key: join(this.#folder, `${name}.key`), cert: join(this.#folder, `${name}.pem`) }
    const [request, extensions] = [
      join(this.#folder, `${name}.csr`),
      join(this.#folder, `${name}.${this.#name}.ext`),
    ]
    writeFileSync(extensions, `subjectAltName=${host}\n`)
    run(['req', ...NEW_KEY, '-keyout', files.key, '-out', request, '-subj', `/CN=${name}`])
    const authority = ['-CA', this.cert, '-CAkey', this.#key, '-CAcreateserial']
    run([
      'x509',
      '-req',
      '-in',
      request,
      '-out',
      files.cert,
      '-days',
      '2',
      ...authority,
      '-extfile',
      extensions,
    ])
    return files
  }

  #out(key: string, cert: string): string[] {
    return ['-keyout', key, '-out', cert, '-days', '2']
  }
}

const run = (args: string[]) => execFileSync('openssl', args, { stdio: 'ignore' })

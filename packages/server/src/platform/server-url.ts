import type { Config } from './config/index.ts'

/** The addresses of this server. The local one is known once it listens. */
export class ServerUrl {
  readonly #config: Config
  #local = ''

  constructor(config: Config) {
    this.#config = config
  }

  /** The address it listens on, e.g. `http://127.0.0.1:8080`. */
  get local(): string {
    return this.#local
  }

  set local(url: string) {
    this.#local = url
  }

  /** The URL in links. */
  readonly public = (): string => this.#config.Integration.PublicUrl || this.#local

  /** The URL for processes on this machine: a certificate is rarely valid for the local address. */
  get forWorkers(): string {
    return this.#config.Server.TlsCert ? this.public() : this.#local
  }
}

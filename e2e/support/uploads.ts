import { createHash } from 'node:crypto'
import { UPLOADS_PATH } from '@lectern/protocol'
import { expect } from 'vitest'

/** Uploads of one account, as workers and participants send them (docs/uploads.md). */
export class Uploads {
  readonly #url: string
  readonly #token: string

  constructor(url: string, token: string) {
    this.#url = url
    this.#token = token
  }

  readonly call = (path: string, init: RequestInit = {}) =>
    fetch(this.#url + path, {
      ...init,
      headers: { authorization: `Bearer ${this.#token}`, 'tus-resumable': '1.0.0', ...init.headers },
    })

  /** Returns the address of the upload. */
  async begin(about: Record<string, string>, bytes: Buffer): Promise<string> {
    const entries = { ...about, sha256: createHash('sha256').update(bytes).digest('hex') }
    const metadata = Object.entries(entries).map(([key, value]) => `${key} ${btoa(value)}`)
    const begun = await this.call(UPLOADS_PATH, {
      method: 'POST',
      headers: { 'upload-length': String(bytes.length), 'upload-metadata': metadata.join(',') },
    })
    expect(begun.status).toBe(201)
    return begun.headers.get('location') ?? ''
  }

  append(location: string, offset: number, bytes: Buffer) {
    return this.call(location, {
      method: 'PATCH',
      headers: { 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset) },
      body: new Uint8Array(bytes),
    })
  }

  /** Returns the id of the file. */
  async upload(about: Record<string, string>, bytes: Buffer): Promise<string> {
    const location = await this.begin(about, bytes)
    expect((await this.append(location, 0, bytes)).status).toBe(204)
    return location.slice(UPLOADS_PATH.length + 1)
  }
}

import { createHash } from 'node:crypto'
import { UPLOADS_PATH } from '@lectern/protocol'
import { expect } from 'vitest'
import { addUser, createConference, signInAs } from './accounts.ts'
import type { Lectern } from './lectern.ts'
import type { Account, useMembers } from './members.ts'
import { waitFor } from './wait.ts'

/** A teacher in a conference who uploads slides over HTTP. */
export class DocumentUploads {
  readonly #lectern: Lectern
  readonly #teacher: Account
  readonly #tag: string

  private constructor(lectern: Lectern, teacher: Account, tag: string) {
    this.#lectern = lectern
    this.#teacher = teacher
    this.#tag = tag
  }

  static async enter(lectern: Lectern, enter: ReturnType<typeof useMembers>): Promise<DocumentUploads> {
    const teacher = await signInAs(lectern, await addUser(lectern, 'teacher'))
    const { tag } = await createConference(lectern, teacher, 'Fractions')
    await enter({ url: lectern.url, tag, account: teacher }).waitForJoin()
    return new DocumentUploads(lectern, teacher, tag)
  }

  readonly call = (path: string, init: RequestInit = {}) =>
    fetch(this.#lectern.url + path, {
      ...init,
      headers: {
        authorization: `Bearer ${this.#teacher.access_token}`,
        'tus-resumable': '1.0.0',
        ...init.headers,
      },
    })

  readonly get = async (path: string) => (await this.call(`/api/v1.0${path}`)).json()

  /** Begins an upload; returns its address. */
  async begin(name: string, bytes: Buffer): Promise<string> {
    const entries = {
      ...{ conference: this.#tag, purpose: 'slides', name },
      sha256: createHash('sha256').update(bytes).digest('hex'),
    }
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
  async upload(name: string, bytes: Buffer): Promise<string> {
    const location = await this.begin(name, bytes)
    expect((await this.append(location, 0, bytes)).status).toBe(204)
    return location.slice(UPLOADS_PATH.length + 1)
  }

  /** The file, when its conversion is over. */
  converted(id: string) {
    return waitFor(async () => {
      const document = await this.get(`/files/${id}`)
      return document.state !== 'converting' && document
    }, 'the conversion is over')
  }

  /** The process of the converter that has become ready last. */
  get converterPid(): number | undefined {
    const lines = this.#lectern.log.split('\n').filter(line => line.includes('"worker":"converter"'))
    const ready = lines.filter(line => line.includes('a worker is ready')).at(-1)
    return ready ? Number(JSON.parse(ready).pid) : undefined
  }
}

import { addUser, createConference, signInAs } from './accounts.ts'
import type { Lectern } from './lectern.ts'
import type { Account, useMembers } from './members.ts'
import { Uploads } from './uploads.ts'
import { waitFor } from './wait.ts'

/** A teacher in a conference who uploads slides over HTTP. */
export class DocumentUploads extends Uploads {
  readonly #lectern: Lectern
  readonly #tag: string

  private constructor(lectern: Lectern, teacher: Account, tag: string) {
    super(lectern.url, teacher.access_token)
    this.#lectern = lectern
    this.#tag = tag
  }

  static async enter(lectern: Lectern, enter: ReturnType<typeof useMembers>): Promise<DocumentUploads> {
    const teacher = await signInAs(lectern, await addUser(lectern, 'teacher'))
    const { tag } = await createConference(lectern, teacher, 'Fractions')
    await enter({ url: lectern.url, tag, account: teacher }).waitForJoin()
    return new DocumentUploads(lectern, teacher, tag)
  }

  readonly get = async (path: string) => (await this.call(`/api/v1.0${path}`)).json()

  /** What is said about slides in the conference. */
  about = (name: string) => ({ conference: this.#tag, purpose: 'slides', name })

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

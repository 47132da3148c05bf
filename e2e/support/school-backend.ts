import { cpSync } from 'node:fs'
import { join } from 'node:path'
import type { HostedEvent } from '@lectern/partner'
import { freePort } from '@lectern/server/testing'
import { repositoryPath } from './folders.ts'
import { installForNode, installForPhp, installForPython } from './installed-clients.ts'
import type { Account, Lectern } from './lectern.ts'
import type { Program, usePrograms } from './program.ts'
import { waitFor } from './wait.ts'

export interface ClassPerson {
  id: string
  name: string
  role: 'teacher' | 'assistant' | 'student'
}

type Language = 'node' | 'python' | 'php'

const EVENTS_SECRET = 'the secret of the events of a school'

/** A backend of `examples/class` with the client that the server serves, in a folder of its own. */
export class SchoolBackend {
  readonly #run: ReturnType<typeof usePrograms>
  readonly #language: Language
  readonly #folder: string
  readonly #environment: Record<string, string>
  #program: Program | null = null

  private constructor(
    run: ReturnType<typeof usePrograms>,
    language: Language,
    folder: string,
    environment: Record<string, string>,
  ) {
    this.#run = run
    this.#language = language
    this.#folder = folder
    this.#environment = environment
  }

  /** Installs the client and starts the backend. */
  static async start(
    run: ReturnType<typeof usePrograms>,
    lectern: Lectern,
    { serviceAccount, clientSecret }: Account,
    language: Language,
    folder: string,
  ): Promise<SchoolBackend> {
    const environment: Record<string, string> = {
      LECTERN_URL: lectern.url,
      LECTERN_ACCOUNT: serviceAccount,
      LECTERN_SECRET: clientSecret,
      EVENTS_SECRET,
      PORT: String(await freePort()),
    }
    if (language === 'node') await installForNode(lectern.url, folder)
    if (language === 'php') await installForPhp(lectern.url, folder)
    if (language === 'python') environment.PYTHONPATH = await installForPython(lectern.url, folder)
    const file = `backend.${{ node: 'mjs', python: 'py', php: 'php' }[language]}`
    cpSync(repositoryPath(`examples/class/${file}`), join(folder, file))
    const backend = new SchoolBackend(run, language, folder, environment)
    await backend.start()
    return backend
  }

  /** Starts it, again after `kill`, with what it has stored. It reads what it has missed. */
  async start(): Promise<void> {
    const options = { cwd: this.#folder, env: this.#environment }
    if (this.#language === 'node') this.#program = this.#run(process.execPath, ['backend.mjs'], options)
    if (this.#language === 'python') this.#program = this.#run('python3', ['backend.py'], options)
    if (this.#language !== 'php') return void (await this.#program?.waitForOutput(/Ready/))
    const { code } = await this.#run('php', ['backend.php'], options).ended
    if (code !== 0) throw new Error(`php backend.php: exit ${code}`)
    this.#program = this.#run('php', ['-S', `127.0.0.1:${this.#environment.PORT}`, 'backend.php'], options)
    await waitFor(() => this.events('none').catch(() => null), 'the backend answers')
  }

  kill = async (): Promise<void> => void (await this.#program?.kill('SIGKILL'))

  create = (lesson: string, title: string, people: ClassPerson[]) =>
    this.#post<{ tag: string; links: Record<string, string> }>(`/create/${lesson}`, { title, people })

  /** The address of the MP4; null while there is none. */
  videoLink = async (lesson: string) => (await this.#post<{ url: string | null }>(`/video/${lesson}`)).url

  delete = (lesson: string) => this.#post(`/delete/${lesson}`)

  /** What it has received of the room, in order. */
  events = async (lesson: string) => (await this.#post<{ events: HostedEvent[] }>(`/events/${lesson}`)).events

  async #post<T>(path: string, body: object = {}): Promise<T> {
    const response = await fetch(`http://127.0.0.1:${this.#environment.PORT}${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
    return JSON.parse(text)
  }
}

import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { Lectern } from '../lectern.ts'
import { descendantsOf, standbyOf, workerOf } from '../processes.ts'
import type { SessionRow } from './invariants.ts'

/** A process that may be killed now. */
export interface Victim {
  kind: string
  /** Sends SIGKILL; resolves when the process, or what replaces it, has been started again. */
  kill: () => Promise<void>
}

export interface JobRow {
  id: string
  kind: string
  state: string
}

/** What a chaos run does to a deployment, and reads from its store. */
export interface Deployment {
  /** All processes that may be killed now. */
  victims(): Victim[]
  sessions(): Promise<SessionRow[]>
  jobsOf(session: number): Promise<JobRow[]>
  /** The folders of all recorders. */
  recorderFolders: string[]
}

/** How much of a session is captured on the disks of recorders, in bytes. */
export async function capturedBytes(deployment: Deployment, session: number): Promise<number> {
  const jobs = await deployment.jobsOf(session)
  const folders = jobs.flatMap(({ id }) =>
    deployment.recorderFolders.map(folder => join(folder, 'jobs', id, 'tracks')),
  )
  const files = folders
    .filter(existsSync)
    .flatMap(folder => readdirSync(folder).map(name => join(folder, name)))
  return files.reduce((sum, file) => sum + statSync(file).size, 0)
}

/** A server with its media workers, recorders and transcriber on one machine. */
export function singleMachine(lectern: Lectern, dataFolder: string): Deployment {
  const processes = (kind: string, pids: (number | undefined)[]): Victim[] =>
    pids.filter(pid => pid !== undefined).map(pid => ({ kind, kill: async () => kill(pid) }))
  const read = <Row>(query: string, ...values: unknown[]): Row[] => {
    const file = join(dataFolder, 'lectern.db')
    if (!existsSync(file)) return []
    const db = new Database(file, { readonly: true })
    try {
      return db.prepare(query).all(...values) as Row[]
    } finally {
      db.close()
    }
  }
  return {
    victims: () => [
      {
        kind: 'server',
        kill: async () => {
          await lectern.stop('SIGKILL')
          await lectern.start()
        },
      },
      ...processes('media worker', descendantsOf(lectern.pid, 'mediasoup-worker')),
      ...processes('recorder', [workerOf(lectern.pid, 'recorder')]),
      ...processes('standby recorder', [standbyOf(lectern.pid, 'recorder')]),
      ...processes('transcriber', [workerOf(lectern.pid, 'transcriber')]),
      ...processes('ffmpeg', descendantsOf(lectern.pid, 'ffmpeg')),
    ],
    recorderFolders: [join(dataFolder, 'recorder')],
    sessions: async () => read('SELECT id, tag, incarnation, NULL AS owner FROM conference_sessions'),
    jobsOf: async session =>
      read('SELECT id, kind, state FROM jobs WHERE conference_session_id = ?', session),
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has exited.
  }
}

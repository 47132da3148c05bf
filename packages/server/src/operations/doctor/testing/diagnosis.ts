import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, vi } from 'vitest'
import { turnCredentials } from '../../../media/turn.ts'
import type { DatabaseState, Records } from '../check.ts'
import { type Probes, runChecks } from '../index.ts'

const VALID = {
  SVC_SERVER_JWT_SECRET: 'x'.repeat(32),
  SVC_SERVER_PORT: '0',
  SVC_INTEGRATION_ENABLED: '1',
  SVC_INTEGRATION_PUBLIC_URL: 'https://meet.example.org',
  SVC_MEDIA_LISTEN_IP: '0.0.0.0',
  SVC_MEDIA_ANNOUNCED_ADDRESS: '203.0.113.7',
}

export const DEPLOYMENT = 'd.ours'
export const LOOPBACK_ONLY = {
  SVC_INTEGRATION_PUBLIC_URL: '',
  SVC_MEDIA_LISTEN_IP: '127.0.0.1',
  SVC_MEDIA_ANNOUNCED_ADDRESS: '',
}
export const DATA_IN_FOLDER = { SVC_SERVER_DATA_DIR: '.' }

export const database: DatabaseState = {
  version: 150_018,
  versionName: '15.18',
  encoding: 'UTF8',
  hasUnicodeCollation: true,
  isReadOnly: false,
  maxConnections: 100,
  clockAheadMs: 0,
  hasStores: true,
}

export const none: Records = { users: [], serviceAccounts: [], newestBackupMs: null }

/** What programs print that are installed, and a clock that is right. */
const PROGRAMS = {
  ffmpeg: 'version 5.1',
  ffprobe: 'version 5.1',
  timedatectl: 'yes',
  pdftocairo: 'pdftocairo version 22.12.0',
  setpriv: '', // which starts bwrap
}

const { PATH } = process.env

/** The doctor in a folder of its own for each test, with an empty configuration and probes that find nothing wrong. */
export function useDoctor() {
  /** The real ones take 0.2 s in every diagnosis. A test of `findProgram` and those of the command run them. */
  const programs = mkdtempSync(join(tmpdir(), 'lectern-programs-'))
  for (const [name, says] of Object.entries(PROGRAMS))
    writeFileSync(join(programs, name), `#!/bin/sh\necho "${says}"\n`, { mode: 0o755 })
  afterAll(() => rmSync(programs, { recursive: true }))

  const own = { folder: '' }
  beforeEach(() => {
    own.folder = mkdtempSync(join(tmpdir(), 'lectern-doctor-'))
    writeFileSync(join(own.folder, 'lectern.ini'), '', { mode: 0o600 })
  })
  afterEach(() => {
    vi.useRealTimers()
    vi.unstubAllEnvs()
    rmSync(own.folder, { recursive: true })
  })

  const writeFile = (name: string, text: string) => {
    writeFileSync(join(own.folder, name), text)
    return join(own.folder, name)
  }

  async function diagnose(
    env: Record<string, string> = {},
    probes: Partial<Probes> = {},
    program: 'server' | 'media-node' = 'server',
  ) {
    vi.stubEnv('PATH', `${programs}:${PATH}`)
    const { ok, checks } = await runChecks(
      join(own.folder, 'lectern.ini'),
      { ...VALID, ...env },
      {
        readRecords: async () => none,
        checkMediaWorker: async () => '3',
        checkIssuer: async () => null,
        checkNats: () => async () => null,
        checkBucket: async () => null,
        inspectDatabase: async () => database,
        deploymentId: () => DEPLOYMENT,
        checkMail: async () => null,
        scan: async () => ({ is: 'clean' }),
        checkOffice: async () => null,
        turnServers: ({ Turn }) => ({ urls: Turn.Urls, secret: Turn.Secret, isEmbedded: Turn.Embedded }),
        turnCredentials: secret => turnCredentials(secret, 'doctor', 4_000_000_000),
        ...probes,
      },
      program,
    )
    return { ok, checks, find: (name: string) => checks.find(check => check.name === name) }
  }

  /** Creates a database file; reading it returns these records. */
  function withStores(records: Partial<Records>): Partial<Probes> {
    writeFile('lectern.db', '')
    return { readRecords: async () => ({ ...none, ...records }) }
  }

  return { own, writeFile, diagnose, withStores }
}

import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { makeFolder } from '@lectern/common/make-folder'
import Database from 'better-sqlite3'
import type { Config } from '../../platform/config/index.ts'
import { s3Settings } from '../../platform/config/storage.ts'
import { restoreMarker } from '../../platform/restore-marker.ts'
import { nullIfMissing, SHARDS } from '../../records/storage/layout.ts'
import { OperatorError } from '../operator/checks.ts'
import { writeDurably } from './durable-files.ts'

/** The content of the marker of a restore. */
interface Restore {
  /** The name of the folders for data that was there; null if there was none. */
  replaced: string | null
  /** Whether that data has been moved: everything else is of the backup. */
  isMoved: boolean
}

/**
 * Marks the data folder, and moves data that is there into folders beside it. Returns these folders. Continues what was
 * interrupted. Throws OperatorError, without a change, if there is data and `replace` is false, or if a database is in use.
 */
export async function prepareTarget(config: Config, replace: boolean): Promise<string[]> {
  for (const file of databasesOf(config))
    if (isInUse(file)) throw new OperatorError(`${file} is in use: stop the service.`)
  const path = restoreMarker(config)
  const state = (await readMarker(path)) ?? (await plan(config, replace))
  makeFolder(config.Server.DataDir)
  await writeDurably(path, JSON.stringify(state))
  const { replaced } = state
  if (replaced === null) return []
  if (!state.isMoved) {
    for (const [from, to] of await movesOf(config, replaced)) {
      await mkdir(dirname(to), { recursive: true, mode: 0o700 })
      await rename(from, to)
    }
    await writeDurably(path, JSON.stringify({ replaced, isMoved: true } satisfies Restore))
  }
  return [...new Set([...databasesOf(config).map(dirname), folderOf(config)])]
    .filter(folder => folder !== null)
    .map(folder => join(folder, replaced))
    .filter(folder => existsSync(folder))
}

async function readMarker(path: string): Promise<Restore | null> {
  const text = await readFile(path, 'utf8').catch(nullIfMissing)
  return text === null ? null : (JSON.parse(text) as Restore)
}

async function plan(config: Config, replace: boolean): Promise<Restore> {
  const replaced = `replaced-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`
  const [first] = await movesOf(config, replaced)
  if (!first) return { replaced: null, isMoved: true }
  if (replace) return { replaced, isMoved: false }
  throw new OperatorError(
    `There is data already: ${first[0]}. Use another data folder, or --replace, which moves that data aside.`,
  )
}

const databasesOf = ({ Db }: Config): string[] => [Db.Url, Db.IntegrationDb]

/** Null if files are in a bucket. */
const folderOf = ({ Storage }: Config): string | null => (s3Settings(Storage) ? null : Storage.Url)

/** Renames within a disk, of what exists. */
async function movesOf(config: Config, replaced: string): Promise<[from: string, to: string][]> {
  const folder = folderOf(config)
  const names = folder === null ? [] : ((await readdir(folder).catch(nullIfMissing)) ?? [])
  const shards = names.filter(name => SHARDS.includes(name)).map(name => join(folder as string, name))
  const databases = databasesOf(config).flatMap(file => [file, `${file}-wal`, `${file}-shm`])
  return [...databases.filter(file => existsSync(file)), ...shards].map(path => [
    path,
    join(dirname(path), replaced, basename(path)),
  ])
}

/** Every connection to a database with a write-ahead log holds a shared lock for as long as it is open. */
function isInUse(file: string): boolean {
  if (!existsSync(file)) return false
  const database = new Database(file, { timeout: 0 })
  try {
    database.pragma('locking_mode = EXCLUSIVE')
    database.exec('BEGIN EXCLUSIVE')
    database.exec('ROLLBACK')
    return false
  } catch (error) {
    return (error as { code?: string }).code?.startsWith('SQLITE_BUSY') ?? false // a damaged database is not in use
  } finally {
    database.close()
  }
}

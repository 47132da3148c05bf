import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { nullIfMissing } from '../../records/storage/layout.ts'
import { OperatorError } from '../operator/checks.ts'
import { type SavedFile, writeDurably } from './durable-files.ts'

/** Written last: a folder without it is no backup (rule BACKUP-2). */
export interface Manifest {
  format: 1
  /** The version of Lectern that made the backup. */
  lectern: string
  created_at: string
  databases: { main: SavedFile; integration: SavedFile | null }
  /** Null without the configuration. */
  config: SavedFile | null
  /** Files of recordings; their names, sizes and checksums are in the main database. */
  files: { in: 'folder' | 'bucket'; count: number; bytes: number }
}

export const DATABASES = { main: 'lectern.db', integration: 'integration.db' } as const
export const CONFIG = 'lectern.ini'
const MANIFEST = 'lectern-backup.json'
/** In a folder in which a backup is being made, or was interrupted. */
export const INCOMPLETE = 'lectern-backup.incomplete'

export const writeManifest = (folder: string, manifest: Manifest): Promise<void> =>
  writeDurably(join(folder, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`)

/** Null if the folder contains no complete backup. */
export async function findManifest(folder: string): Promise<Manifest | null> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch(nullIfMissing)
  return text === null ? null : parse(folder, text)
}

/** Throws OperatorError if the folder contains no complete backup. */
export async function readManifest(folder: string): Promise<Manifest> {
  const manifest = await findManifest(folder)
  if (manifest) return manifest
  const isIncomplete = (await readFile(join(folder, INCOMPLETE)).catch(nullIfMissing)) !== null
  throw new OperatorError(
    isIncomplete
      ? `The backup in ${folder} was interrupted and is incomplete: run "lectern backup" with that folder again.`
      : `${folder} is not a backup: it has no file ${MANIFEST}.`,
  )
}

function parse(folder: string, text: string): Manifest {
  try {
    const manifest = JSON.parse(text) as Manifest
    if (manifest.format === 1) return manifest
  } catch {} // an unreadable file is as foreign as one of another format
  throw new OperatorError(
    `${join(folder, MANIFEST)} is damaged, or was written by a newer version of Lectern.`,
  )
}

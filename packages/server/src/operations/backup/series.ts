import { existsSync } from 'node:fs'
import { link, mkdir, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeFolder } from '@lectern/common/make-folder'
import { Layout, nullIfMissing } from '../../records/storage/layout.ts'
import { findManifest, INCOMPLETE } from './manifest.ts'
import type { SavedBlobs } from './saved-blobs.ts'

/** Names as `nextInSeries` writes them, which sort by time. */
const NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/

/**
 * The folder of the next backup of a series: the last one if it was interrupted, otherwise a new one. It comes after all others
 * also if the clock was set back: it would be taken for the oldest one, and be removed as soon as it is complete.
 */
export async function nextInSeries(series: string, now: Date): Promise<string> {
  makeFolder(series)
  const last = (await namesIn(series)).at(-1)
  if (last === undefined) return join(series, nameOf(now))
  if (await wasInterrupted(join(series, last))) return join(series, last)
  const name = nameOf(now)
  return join(series, name > last ? name : nameOf(new Date(timeOf(last).getTime() + 1000)))
}

/** One whose list is there, also a damaged one, cannot be continued: only the mark of its beginning was left. */
const wasInterrupted = async (folder: string): Promise<boolean> =>
  existsSync(join(folder, INCOMPLETE)) && !(await findManifest(folder).catch(() => true))

const nameOf = (time: Date): string => time.toISOString().replace(/\.\d+/, '').replaceAll(':', '-')

const timeOf = (name: string): Date => new Date(name.replace(/T(..)-(..)-(..)Z/, 'T$1:$2:$3Z'))

/** The newest complete backup beside this one; null if there is none. */
export async function previousInSeries(folder: string): Promise<string | null> {
  const series = dirname(folder)
  for (const name of (await namesIn(series)).reverse()) {
    const other = join(series, name)
    if (other !== folder && (await findManifest(other).catch(() => null))) return other
  }
  return null
}

/** Removes all but the newest complete backups, and interrupted ones that are older than these. Returns what was removed. */
export async function pruneSeries(series: string, keep: number): Promise<string[]> {
  const names = await namesIn(series)
  const complete = []
  for (const name of names) if (await findManifest(join(series, name)).catch(() => null)) complete.push(name)
  const oldest = complete.slice(-keep)[0]
  const old = names.filter(name => oldest !== undefined && name < oldest).map(name => join(series, name))
  for (const folder of old) await rm(folder, { recursive: true })
  return old
}

/**
 * Gives the files of an earlier backup a second name, where the disk has hard links: they take no more space. What differs from
 * its checksum is copied again later, under a new file.
 */
export async function linkFiles(blobs: SavedBlobs, from: string, to: string): Promise<void> {
  const [source, target] = [new Layout(from), new Layout(to)]
  for (const { id, size } of blobs.list()) {
    const found = await stat(source.path(id)).catch(nullIfMissing)
    if (found?.size !== size || (await target.exists(id))) continue
    await mkdir(dirname(target.path(id)), { recursive: true, mode: 0o700 })
    // Files that cannot be linked, as on a share of Windows or a USB disk, are copied later.
    await link(source.path(id), target.path(id)).catch(() => {})
  }
}

const namesIn = async (series: string): Promise<string[]> =>
  ((await readdir(series).catch(nullIfMissing)) ?? []).filter(name => NAME.test(name)).sort()

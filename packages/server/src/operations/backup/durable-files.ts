import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, rename, rm, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { nullIfMissing } from '../../records/storage/layout.ts'
import { OperatorError } from '../operator/checks.ts'

const CHUNK_BYTES = 1024 * 1024
const PART = '.part'

/** A file of a backup with what verifies it. */
export interface SavedFile {
  name: string
  size: number
  sha256: string
}

/** Lowercase hex. */
async function checksumOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES })) hash.update(chunk)
  return hash.digest('hex')
}

/** Describes a file in a folder. */
export async function describeFile(folder: string, name: string): Promise<SavedFile> {
  const path = join(folder, name)
  return { name, size: (await stat(path)).size, sha256: await checksumOf(path) }
}

/** Whether the file exists with this size and these bytes. */
export async function isIntact(path: string, expected: Pick<SavedFile, 'size' | 'sha256'>): Promise<boolean> {
  const found = await stat(path).catch(nullIfMissing)
  return found?.size === expected.size && (await checksumOf(path)) === expected.sha256
}

/**
 * Copies a file; the copy gets its name when it is complete and durable. False, and no copy, if the bytes are not the expected
 * ones. Rejects with ENOENT if there is no such file.
 */
export async function copyVerified(from: string, to: string, sha256: string | null): Promise<boolean> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  const part = to + PART
  const hash = createHash('sha256')
  const hashed = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      hash.update(chunk)
      yield chunk
    }
  }
  const source = await open(from)
  const bytes = source.createReadStream({ highWaterMark: CHUNK_BYTES })
  await pipeline(bytes, hashed, createWriteStream(part, { mode: 0o600 }))
  if (sha256 !== null && hash.digest('hex') !== sha256) {
    await rm(part)
    return false
  }
  await publish(part, to)
  return true
}

/** Writes a file that exists either completely or not at all. */
export async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path + PART, 'w', 0o600)
  await file.writeFile(text).finally(() => file.close())
  await publish(path + PART, path)
}

/** Gives a written file its name, durably. */
export async function publish(part: string, path: string): Promise<void> {
  await syncPath(part)
  await rename(part, path)
  await syncPath(dirname(path))
}

/** Removes a file durably. */
export async function removeDurably(path: string): Promise<void> {
  await rm(path, { force: true })
  await syncPath(dirname(path))
}

async function syncPath(path: string): Promise<void> {
  const handle = await open(path)
  await handle.sync().finally(() => handle.close())
}

/** Throws OperatorError if the disk of a folder has less than that free. */
export async function ensureFree(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize >= bytes) return
  const megabytes = (count: number) => `${Math.ceil(count / 1e6)} MB`
  throw new OperatorError(
    `The disk of ${folder} has ${megabytes(bavail * bsize)} free; ${megabytes(bytes)} are needed.`,
  )
}

import type { FileHandle } from 'node:fs/promises'

/** Where a disk becomes full in the middle, the kernel takes a part, and says ENOSPC only at the next write. */
export async function writeWhole(handle: FileHandle, bytes: Uint8Array, position: number) {
  for (let written = 0; written < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, written, bytes.length - written, position + written)
    written += bytesWritten
  }
}

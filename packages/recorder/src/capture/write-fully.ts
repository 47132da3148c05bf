import type { FileHandle } from 'node:fs/promises'

/** When the disk fills up, the kernel writes a part and reports ENOSPC only on the next write. */
export async function writeFully(handle: FileHandle, bytes: Uint8Array, position: number) {
  for (let written = 0; written < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, written, bytes.length - written, position + written)
    written += bytesWritten
  }
}

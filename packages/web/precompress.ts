import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'

/** Below this size, compression does not save a packet. */
const SMALLEST_BYTES = 1024
const COMPRESSIBLE = /\.(html|js|css|svg|json|webmanifest|wasm|tflite)$/

/** Writes `.br` and `.gz` beside each file that gets smaller, at the best level, which is too slow for every request. */
export const precompress: Plugin = {
  name: 'precompress',
  apply: 'build',
  writeBundle({ dir = '' }, bundle) {
    for (const name of Object.keys(bundle).filter(each => COMPRESSIBLE.test(each))) {
      const file = join(dir, name)
      const content = readFileSync(file)
      if (content.length < SMALLEST_BYTES) continue
      writeFileSync(`${file}.br`, brotliCompressSync(content)) // the default level is the best one
      writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }))
    }
  },
}

import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { root } from '../paths.mjs'

/** The folder of the programs in the package. */
export const PROGRAMS = 'usr/lib/lectern'

const sources = join(root, 'deploy/debian')

/** Everything else is not executable. */
const executables = [
  `${PROGRAMS}/bin/node`,
  `${PROGRAMS}/node_modules/mediasoup/worker/out/Release/mediasoup-worker`,
  'usr/bin/lectern',
  'usr/share/lectern/certbot-hook',
]

/**
 * Adds Node.js, the command, units, settings and the manual.
 *
 * @param {string} tree the root of the package
 * @param {string} node the folder of Node.js
 */
export function copySystemFiles(tree, node) {
  copy(join(node, 'bin/node'), join(tree, PROGRAMS, 'bin/node'))
  copy(join(node, 'LICENSE'), join(tree, PROGRAMS, 'bin/LICENSE'))
  copy(join(sources, 'lectern'), join(tree, 'usr/bin/lectern'))
  cpSync(join(sources, 'systemd'), join(tree, 'usr/lib/systemd/system'), { recursive: true })
  cpSync(join(sources, 'etc'), join(tree, 'etc/lectern'), {
    recursive: true,
    filter: file => !file.endsWith('/lectern.ini'),
  })
  copy(join(sources, 'etc/lectern.ini'), join(tree, 'usr/share/lectern/lectern.ini'))
  copy(join(sources, 'certbot-hook'), join(tree, 'usr/share/lectern/certbot-hook'))
  copy(join(sources, 'lintian-overrides'), join(tree, 'usr/share/lintian/overrides/lectern'))
  write(
    join(tree, 'usr/share/bash-completion/completions/lectern'),
    execFileSync(join(node, 'bin/node'), [join(root, 'packages/cli/bin/lectern.js'), 'completion']),
  )
  writeCompressed(
    join(tree, 'usr/share/man/man1/lectern.1.gz'),
    readFileSync(join(sources, 'lectern.1'), 'utf8'),
  )
}

/**
 * The same result for the same text.
 *
 * @param {string} file
 * @param {string} text
 */
export function writeCompressed(file, text) {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, gzipSync(text, { level: 9 }))
}

/** @param {string} file @param {Buffer} bytes */
function write(file, bytes) {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, bytes)
}

/** Whatever modes the checkout and npm have left. @param {string} tree */
export function setModes(tree) {
  chmodSync(tree, 0o755)
  for (const entry of readdirSync(tree, { recursive: true, withFileTypes: true }))
    if (!entry.isSymbolicLink())
      chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644)
  for (const file of executables) chmodSync(join(tree, file), 0o755)
}

/**
 * @param {string} from
 * @param {string} to
 */
function copy(from, to) {
  mkdirSync(dirname(to), { recursive: true })
  copyFileSync(from, to)
}

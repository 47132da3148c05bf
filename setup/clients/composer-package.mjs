import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../paths.mjs'
import { zip } from './archives.mjs'

const folder = join(root, 'clients/php')

/** The server writes its own address here (packages/server/src/http/pages/routes.ts): Composer resolves no relative one. */
const ADDRESS = '{public_url}'

/**
 * The archive of the client for PHP, and the index of a Composer repository that has it.
 *
 * @param {string} version
 * @param {string} path of the archive on the server
 */
export function composerPackage(version, path) {
  const manifest = { ...JSON.parse(readFileSync(join(folder, 'composer.json'), 'utf8')), version }
  const archive = zip([
    { name: 'composer.json', content: Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`) },
    { name: 'LICENSE', content: readFileSync(join(root, 'LICENSE')) },
    ...['README.md', 'autoload.php', ...globSync('src/**/*.php', { cwd: folder }).sort()].map(name => ({
      name,
      content: readFileSync(join(folder, name)),
    })),
  ])
  const shasum = createHash('sha1').update(archive).digest('hex') // Composer compares it; https protects the download
  const dist = { type: 'zip', url: `${ADDRESS}${path}`, reference: shasum, shasum }
  const index = { packages: { [manifest.name]: { [version]: { ...manifest, dist } } } }
  return { archive, index: Buffer.from(`${JSON.stringify(index, null, 2)}\n`) }
}

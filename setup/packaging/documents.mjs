import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../paths.mjs'
import { maintainer } from './control-files.mjs'
import { PROGRAMS, writeCompressed } from './system-files.mjs'

/** Documents for operators and partners; their links stay valid. */
const documents = ['README.md', 'CHANGES.md', 'docs']

/**
 * Adds the folder of documents, with the changelog and the licences that Debian demands.
 *
 * @param {string} tree the root of the package
 * @param {{ version: string, date: Date, packages: string[] }} about with the folders of the npm packages
 */
export function writeDocuments(tree, { version, date, packages }) {
  const folder = join(tree, 'usr/share/doc/lectern')
  mkdirSync(folder, { recursive: true })
  for (const name of documents) cpSync(join(root, name), join(folder, name), { recursive: true })
  writeCompressed(join(folder, 'changelog.Debian.gz'), changelog(version, date))
  const manifests = packages.map(path => join(tree, PROGRAMS, path, 'package.json'))
  writeFileSync(join(folder, 'copyright'), copyright(manifests.map(readManifest)))
}

/** @param {string} version @param {Date} date */
const changelog = (version, date) => `lectern (${version}) unstable; urgency=medium

  * See /usr/share/doc/lectern/CHANGES.md.

 -- ${maintainer()}  ${date.toUTCString().replace('GMT', '+0000')}
`

/** @typedef {{ name: string, version: string, license?: unknown }} Manifest */

/** @param {Manifest[]} manifests */
const copyright =
  manifests => `This package was built from the sources of Lectern, which name no licence of their own.
Copyright: the authors of Lectern.

It contains Node.js, Copyright Node.js contributors and others, whose licences are in /${PROGRAMS}/bin/LICENSE, and the npm
packages below, each with its licence. Their copyright notices and the texts of their licences are in their folders in
/${PROGRAMS}/node_modules. The Apache License 2.0 and the GPL are also in /usr/share/common-licenses.

${manifests.map(({ name, version, license }) => `${name} ${version}: ${nameOf(license)}`).join('\n')}
`

/** Old packages have an object. @param {unknown} license */
const nameOf = license =>
  typeof license === 'string' ? license : /** @type {any} */ (license?.type ?? 'see its folder')

/** @param {string} file @returns {Manifest} */
const readManifest = file => JSON.parse(readFileSync(file, 'utf8'))

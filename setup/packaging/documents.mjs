import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from '../paths.mjs'
import { maintainer } from './control-files.mjs'
import { PROGRAMS, writeCompressed } from './system-files.mjs'

/** Documents for operators and partners, and the files that they give as examples. */
const documents = [
  'README.md',
  'CHANGES.md',
  'NOTICE',
  'docs',
  'bench/README.md',
  'clients/README.md',
  'deploy/caddy',
  'deploy/grafana',
  'deploy/nginx',
  'deploy/prometheus',
  'examples/class/backend.mjs',
  'examples/class/backend.php',
  'examples/class/backend.py',
  'examples/embed.mjs',
  'examples/partner-backend.mjs',
  'packages/control-client/README.md',
  'packages/embed/README.md',
  'packages/partner/README.md',
  'packages/recorder/README.md',
  'packages/worker-kit/README.md',
]

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
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    if (name.endsWith('.md')) removeDeadLinks(join(folder, name))
  writeCompressed(join(folder, 'changelog.Debian.gz'), changelog(version, date))
  const manifests = packages.map(path => join(tree, PROGRAMS, path, 'package.json'))
  writeFileSync(join(folder, 'copyright'), copyright(manifests.map(readManifest)))
}

/** Links to the sources, which the package does not contain, become text. @param {string} file */
function removeDeadLinks(file) {
  const text = readFileSync(file, 'utf8')
  const linked = text.replace(LINK, (link, label, path) =>
    existsSync(join(dirname(file), path)) ? link : label,
  )
  if (linked !== text) writeFileSync(file, linked)
}

/** Of relative links; addresses have a scheme. */
const LINK = /\[([^\]]*)\]\((?![a-z]+:|#)([^)#\s]+)(?:#[^)\s]*)?\)/g

/** @param {string} version @param {Date} date */
const changelog = (version, date) => `lectern (${version}) unstable; urgency=medium

  * See /usr/share/doc/lectern/CHANGES.md.

 -- ${maintainer()}  ${date.toUTCString().replace('GMT', '+0000')}
`

/** @typedef {{ name: string, version: string, license?: string | { type?: string } }} Manifest old packages have an object */

/** @param {Manifest[]} manifests */
const copyright = manifests => `Lectern is licensed under the Apache License, Version 2.0.
Copyright 2026 the authors of Lectern.

The package contains Node.js, Copyright Node.js contributors and others, whose licences are in /${PROGRAMS}/bin/LICENSE, and the npm
packages below, each with its licence. Their copyright notices and the texts of their licences are in their folders in
/${PROGRAMS}/node_modules. The Apache License 2.0 and the GPL are also in /usr/share/common-licenses.

${manifests.map(({ name, version, license }) => `${name} ${version}: ${nameOf(license)}`).join('\n')}
`

/** @param {Manifest['license']} license */
const nameOf = license => (typeof license === 'string' ? license : (license?.type ?? 'see its folder'))

/** @param {string} file @returns {Manifest} */
const readManifest = file => JSON.parse(readFileSync(file, 'utf8'))

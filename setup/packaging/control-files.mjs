import { createHash } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { root } from '../paths.mjs'
import { run } from '../run.mjs'

const scripts = join(root, 'deploy/debian/scripts')

/**
 * adduser creates the service's user, ffmpeg composes recordings and scales slides, which poppler draws in bubblewrap.
 * Libraries are found in the programs.
 */
const dependencies = ['adduser', 'bubblewrap', 'ffmpeg', 'init-system-helpers (>= 1.54~)', 'poppler-utils']

/** Who maintains the package: the variables of Debian's own tools. */
export const maintainer = () =>
  `${process.env.DEBFULLNAME || 'Lectern'} <${process.env.DEBEMAIL || 'lectern@localhost'}>`

/**
 * Writes the folder DEBIAN, when everything else is in place.
 *
 * @param {string} tree the root of the package
 * @param {{ version: string, architecture: string }} about
 */
export async function writeControlFiles(tree, about) {
  const files = filesIn(tree)
  const libraries = await librariesOf(files)
  const folder = join(tree, 'DEBIAN')
  mkdirSync(folder)
  writeFileSync(join(folder, 'control'), control({ ...about, libraries, kib: sizeInKib(files) }))
  const conffiles = files.filter(file => file.startsWith(join(tree, 'etc/')))
  writeFileSync(join(folder, 'conffiles'), conffiles.map(file => `/${relative(tree, file)}\n`).join(''))
  const sums = files
    .filter(file => !conffiles.includes(file))
    .map(file => `${md5(file)}  ${relative(tree, file)}\n`)
  writeFileSync(join(folder, 'md5sums'), sums.join(''))
  for (const name of readdirSync(scripts)) {
    copyFileSync(join(scripts, name), join(folder, name))
    chmodSync(join(folder, name), 0o755)
  }
}

/** @param {{ version: string, architecture: string, libraries: string, kib: number }} about */
const control = ({ version, architecture, libraries, kib }) => `Package: lectern
Version: ${version}
Architecture: ${architecture}
Maintainer: ${maintainer()}
Installed-Size: ${kib}
Depends: ${[...dependencies, libraries].join(', ')}
Recommends: fonts-noto-color-emoji
Suggests: certbot, coturn, fonts-noto-cjk, libreoffice-impress-nogui, libreoffice-writer-nogui, nats-server, nginx, postgresql
Section: net
Priority: optional
Description: video conferencing server with hosted rooms
 A platform creates a room with one HTTP call, shows a teacher link and a
 student link, and gets back a recording and a transcript. People open their
 link in a browser.
 .
 This package contains the server, media nodes for clusters, recorder,
 transcriber with an English speech model, converter of slides, the lectern
 command, and the version of Node.js that runs them.
`

/** What the package needs of libraries, as a list for Depends. @param {string[]} files */
async function librariesOf(files) {
  const programs = files.filter(isElf)
  const folder = mkdtempSync(join(tmpdir(), 'lectern-shlibs-'))
  try {
    // dpkg-shlibdeps reads the source package's control file.
    mkdirSync(join(folder, 'debian'))
    writeFileSync(join(folder, 'debian/control'), 'Source: lectern\n\nPackage: lectern\nArchitecture: any\n')
    const own = [...new Set(programs.map(dirname))].map(path => `-l${path}`)
    const output = await run(
      'dpkg-shlibdeps',
      ['-O', '--warnings=0', ...own, ...programs.map(file => `-e${file}`)],
      {
        cwd: folder,
      },
    )
    return /^shlibs:Depends=(.*)$/m.exec(output)?.[1] ?? ''
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Sorted, so that the same tree gives the same package. @param {string} tree */
const filesIn = tree =>
  readdirSync(tree, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .sort()

/** @param {string} file */
function isElf(file) {
  const start = Buffer.alloc(4)
  const opened = openSync(file, 'r')
  readSync(opened, start, 0, start.length, 0)
  closeSync(opened)
  return start.toString('latin1') === '\x7fELF'
}

/** @param {string} file */
const md5 = file => createHash('md5').update(readFileSync(file)).digest('hex')

/** As dpkg-gencontrol counts: each file in whole KiB. @param {string[]} files */
const sizeInKib = files => files.reduce((sum, file) => sum + Math.ceil(readFileSync(file).length / 1024), 0)

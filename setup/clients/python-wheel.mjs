import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../paths.mjs'
import { zip } from './archives.mjs'

const folder = join(root, 'clients/python')

/**
 * The wheel of the client for Python (PEP 427). Its name is the address that pip installs: pip reads name and version there.
 *
 * @returns {{ name: string, content: Buffer }}
 */
export function pythonWheel() {
  const project = readFileSync(join(folder, 'pyproject.toml'), 'utf8')
  const [version, summary, requires] = ['version', 'description', 'requires-python'].map(
    key => new RegExp(`^${key} = "(.+)"$`, 'm').exec(project)?.[1],
  )
  const about = `lectern_partner-${version}.dist-info`
  const files = [
    ...globSync('lectern_partner/{*.py,py.typed}', { cwd: folder })
      .sort()
      .map(name => ({ name, content: readFileSync(join(folder, name)) })),
    { name: `${about}/licenses/LICENSE`, content: readFileSync(join(root, 'LICENSE')) },
    {
      name: `${about}/METADATA`,
      content: Buffer.from(
        `Metadata-Version: 2.1\nName: lectern-partner\nVersion: ${version}\nSummary: ${summary}\nLicense: Apache-2.0\n` +
          `Requires-Python: ${requires}\nDescription-Content-Type: text/markdown\n\n${readFileSync(join(folder, 'README.md'), 'utf8')}`,
      ),
    },
    {
      name: `${about}/WHEEL`,
      content: Buffer.from(
        'Wheel-Version: 1.0\nGenerator: lectern\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
      ),
    },
  ]
  const record = [...files.map(recordOf), `${about}/RECORD,,`].join('\n')
  return {
    name: `lectern_partner-${version}-py3-none-any.whl`,
    content: zip([...files, { name: `${about}/RECORD`, content: Buffer.from(`${record}\n`) }]),
  }
}

/** @param {import('./archives.mjs').Entry} entry */
const recordOf = ({ name, content }) =>
  `${name},sha256=${createHash('sha256').update(content).digest('base64url')},${content.length}`

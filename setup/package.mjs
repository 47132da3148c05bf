/** `npm run package [-- options]`: builds Lectern, and a Debian package of it for this machine's architecture. */
import { parseArgs } from 'node:util'
import { buildDebianPackage } from './packaging/debian-package.mjs'
import { root } from './paths.mjs'
import { explain, prepare } from './prepare.mjs'

try {
  const { values } = parseArgs({
    options: {
      out: { type: 'string', default: `${root}/dist` },
      revision: { type: 'string', default: '1' },
      compression: { type: 'string', default: 'xz' },
      'as-built': { type: 'boolean', default: false },
    },
  })
  if (!values['as-built']) await prepare()
  const { out, revision, compression } = values
  console.log(await buildDebianPackage({ out, revision, compression }))
} catch (err) {
  explain(err)
  process.exitCode = 1
}

/** `npm run package [-- options]`: builds Lectern, and a Debian package of it for this machine's architecture. */
import { parseArgs } from 'node:util'
import { addToRepository } from './packaging/apt-repository.mjs'
import { buildDebianPackage } from './packaging/debian-package.mjs'
import { root } from './paths.mjs'
import { explain, prepare } from './prepare.mjs'
import { SetupError } from './run.mjs'

try {
  const { values } = parseArgs({
    options: {
      out: { type: 'string', default: `${root}/dist` },
      revision: { type: 'string', default: '1' },
      compression: { type: 'string', default: 'xz' },
      repository: { type: 'string' },
      sign: { type: 'string' },
      'as-built': { type: 'boolean', default: false },
    },
  })
  if (!values['as-built']) await prepare()
  const { out, revision, compression, repository, sign: key } = values
  if (key && !repository)
    throw new SetupError('--sign needs --repository: packages are signed by their repository.')
  const file = await buildDebianPackage({ out, revision, compression })
  console.log(file)
  if (repository) addToRepository(file, { folder: repository, key })
} catch (err) {
  explain(err)
  process.exitCode = 1
}

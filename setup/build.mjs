/** `npm run build`: builds what has changed, as `npm start` does. */
import { explain } from './run.mjs'
import { buildPrograms, buildServedClients, buildWebPages } from './steps/build.mjs'

try {
  await buildPrograms()
  await buildWebPages()
  await buildServedClients()
} catch (err) {
  explain(err)
  process.exitCode = 1
}

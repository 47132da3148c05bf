import { setPriority } from 'node:os'
import { parseArgs } from 'node:util'
import { versionOf } from '@lectern/common/version'
import { startWorker } from '@lectern/worker-kit'
import { convert } from './run/convert.ts'
import { ConverterUnavailable, openSandbox, type Sandbox } from './sandbox/index.ts'

const version = versionOf(import.meta.url)

/** A long document must not keep others waiting. */
const DOCUMENTS_AT_ONCE = 2
/** Calls are more urgent than slides. */
const NICENESS = 5

/** `--sandbox 0`, or the environment variable of a standalone converter. */
function isSandboxed(): boolean {
  const { values } = parseArgs({ options: { sandbox: { type: 'string' } }, strict: false })
  return (values.sandbox ?? process.env.SVC_CONVERTER_SANDBOX) !== '0'
}

/** Reports a missing program or sandbox to the parent process: not an error, and nothing to retry. */
async function openOrExit(): Promise<Sandbox> {
  try {
    return await openSandbox({ isSandboxed: isSandboxed() })
  } catch (error) {
    if (!(error instanceof ConverterUnavailable)) throw error
    console.error(`Slides cannot be converted. ${error.message}`)
    const leave = () => process.exit(0)
    if (process.send) process.send({ unavailable: error.message }, leave)
    else leave()
    return new Promise(() => {})
  }
}

setPriority(NICENESS)
const sandbox = await openOrExit()
await startWorker({
  kind: 'conversion',
  name: 'converter',
  version,
  work: held => convert(held, sandbox),
  capacity: DOCUMENTS_AT_ONCE,
  kinds: [],
  options: ['sandbox'],
})

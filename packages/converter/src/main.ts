import { setPriority } from 'node:os'
import { parseArgs } from 'node:util'
import { versionOf } from '@lectern/common/version'
import { OFFICE_FORMAT } from '@lectern/protocol'
import { startWorker } from '@lectern/worker-kit'
import { findOfficeFault } from './office/probe.ts'
import { convert } from './run/convert.ts'
import { ConverterUnavailable, openSandbox, type Sandbox } from './sandbox/index.ts'

const version = versionOf(import.meta.url)

/** A long document must not keep others waiting. */
const DOCUMENTS_AT_ONCE = 2
/** Calls are more urgent than slides. */
const NICENESS = 5

const text = { type: 'string' } as const
const { values } = parseArgs({ options: { sandbox: text, office: text }, strict: false })
/** Arguments, or the environment variables of a standalone converter. */
const isSandboxed = (values.sandbox ?? process.env.SVC_CONVERTER_SANDBOX) !== '0'
const office = values.office ?? process.env.SVC_CONVERTER_OFFICE

/** Reports a missing program or sandbox to the parent process: not an error, and nothing to retry. */
async function openOrExit(): Promise<Sandbox> {
  try {
    return await openSandbox({ isSandboxed })
  } catch (error) {
    if (!(error instanceof ConverterUnavailable)) throw error
    console.error(`Slides cannot be converted. ${error.message}`)
    const leave = () => process.exit(0)
    if (process.send) process.send({ unavailable: error.message }, leave)
    else leave()
    return new Promise(() => {})
  }
}

/** Whether office documents are converted here. What keeps them from it is logged, and everything else works. */
async function convertsOffice(sandbox: Sandbox): Promise<boolean> {
  if (office !== '1') return false
  const fault = isSandboxed ? await findOfficeFault(sandbox) : 'They need the sandbox.'
  if (fault) console.error(`Office documents cannot be converted. ${fault}`)
  return fault === null
}

/** `--office check`, for `lectern doctor`: prints why they cannot be converted, or nothing. */
async function checkOffice(): Promise<never> {
  const fault = await openSandbox({ isSandboxed: true }).then(
    findOfficeFault,
    (error: Error) => error.message,
  )
  if (fault !== null) console.log(fault)
  process.exit()
}

if (office === 'check') await checkOffice()
setPriority(NICENESS)
const sandbox = await openOrExit()
const isOffice = await convertsOffice(sandbox)
await startWorker({
  kind: 'conversion',
  name: 'converter',
  version,
  work: held => convert(held, sandbox),
  capacity: DOCUMENTS_AT_ONCE,
  kinds: [],
  formats: isOffice ? [OFFICE_FORMAT] : [],
  options: ['sandbox', 'office'],
})

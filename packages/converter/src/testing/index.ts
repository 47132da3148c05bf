/** What tests and benchmarks of others need. */

export { convert } from '../run/convert.ts'
export { openSandbox } from '../sandbox/index.ts'
export { FakeHeldJob } from './held-job.ts'
export { pdf, textAt } from './pdf.ts'

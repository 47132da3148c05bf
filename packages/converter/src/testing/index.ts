/** Exports for the tests and benchmarks of other packages. */

export { openDocument } from '../office/open-document.ts'
export { findOfficeFault } from '../office/probe.ts'
export { convert } from '../run/convert.ts'
export { openSandbox, type Sandbox } from '../sandbox/index.ts'
export { FakeHeldJob } from './held-job.ts'
export { docx, pptx, slideText, wordText } from './office.ts'
export { pdf, textAt } from './pdf.ts'

import { writeFileSync } from 'node:fs'

/**
 * A reporter of vitest: writes the files in which errors occurred outside of tests, as JSON, because the JSON report has
 * no such errors. Null is an error of no file.
 */
export default class UnhandledErrors {
  /**
   * @param {unknown} _modules
   * @param {readonly { VITEST_TEST_PATH?: unknown }[]} errors
   */
  onTestRunEnd(_modules, errors) {
    const files = errors.map(({ VITEST_TEST_PATH: file }) => (typeof file === 'string' ? file : null))
    writeFileSync(process.env.LECTERN_UNHANDLED_ERRORS ?? '', JSON.stringify(files))
  }
}

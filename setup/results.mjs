import { appendFileSync } from 'node:fs'

/** @typedef {import('vitest/node').TestModule} TestModule */
/** @typedef {import('./vitest.mjs').TestFile} TestFile */

/**
 * A reporter of vitest: appends what happens to the file that LECTERN_RESULTS names, an object of JSON in each line. So a run
 * that was ended has told what it had done, and one that hangs falls silent.
 *
 * @typedef {{ planned: string[] } | { begun: string } | { ended: TestFile } | { alive: true }
 *   | { unhandledErrors: (string | null)[] }} Note begun and ended: once for each project with the file; unhandledErrors: the
 *   last note of a complete run, with the file of each error outside of tests, if known
 */
export default class Results {
  /** @type {Set<TestModule>} */
  #ended = new Set()

  /** @param {readonly { moduleId: string }[]} specifications */
  onTestRunStart(specifications) {
    note({ planned: specifications.map(({ moduleId }) => moduleId) })
  }

  /** @param {TestModule} module */
  onTestModuleQueued({ moduleId }) {
    note({ begun: moduleId })
  }

  onHookEnd() {
    note({ alive: true })
  }

  onTestCaseResult() {
    note({ alive: true })
  }

  /** @param {TestModule} module */
  onTestModuleEnd(module) {
    this.#ended.add(module)
    note({ ended: resultOf(module) })
  }

  /**
   * @param {readonly TestModule[]} modules
   * @param {readonly { VITEST_TEST_PATH?: unknown }[]} errors
   */
  onTestRunEnd(modules, errors) {
    // One that does not load has no end of its own.
    for (const module of modules) if (!this.#ended.has(module)) note({ ended: resultOf(module) })
    note({
      unhandledErrors: errors.map(({ VITEST_TEST_PATH: file }) => (typeof file === 'string' ? file : null)),
    })
  }
}

/** @param {Note} event */
const note = event => appendFileSync(process.env.LECTERN_RESULTS ?? '', `${JSON.stringify(event)}\n`)

/** @param {TestModule} module @returns {TestFile} */
function resultOf(module) {
  const errors = [module, ...module.children.allSuites()].flatMap(each => each.errors())
  return {
    name: module.moduleId,
    status: module.state(),
    message: errors[0]?.message ?? '',
    assertionResults: Array.from(module.children.allTests(), test => {
      const { state, errors = [] } = test.result()
      const failureMessages = errors.map(({ stack, message }) => stack ?? message)
      return { fullName: test.fullName, status: state, failureMessages }
    }),
  }
}

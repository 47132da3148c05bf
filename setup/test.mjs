/** `npm test [-- arguments of vitest]`: prepares the checkout, then runs the checks and the tests of the gate. */
import { concludeWith, prepareForTests } from './conclusion.mjs'
import { runGate } from './gate.mjs'

concludeWith((await prepareForTests()) ?? (await runGate(process.argv.slice(2))))

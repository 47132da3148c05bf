import { endWithOutput, reportError } from './errors.ts'
import { createProgram } from './program.ts'

endWithOutput()
try {
  await createProgram().parseAsync()
} catch (error) {
  process.exitCode = reportError(error)
}

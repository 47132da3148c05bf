import { afterAll } from 'vitest'
import { Program, type ProgramOptions } from './child-program.ts'

export { type Exit, Program } from './child-program.ts'

type Start = (command: string, args: string[], options?: ProgramOptions) => Program

/** Starts programs, which are killed after the tests of a file. */
export function usePrograms(): Start {
  const programs: Program[] = []
  afterAll(async () => {
    await Promise.all(programs.map(program => program.kill('SIGKILL')))
  })
  return (command, args, options) => {
    const program = new Program(command, args, options)
    programs.push(program)
    return program
  }
}

import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { useLectern } from '../testing.ts'

const { makeFolder, here } = useLectern()

it('bash completes commands and options with the printed script', async () => {
  const { stdout } = await here.run(makeFolder(), ['completion'])
  const complete = (...words: string[]) => {
    const ask = `COMP_WORDS=(${words.map(word => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _lectern; echo "\${COMPREPLY[*]}"`
    return execFileSync('bash', ['-c', `${stdout}\n${ask}`], { encoding: 'utf8' }).trim()
  }
  expect(complete('lectern', 'us')).toBe('user')
  expect(complete('lectern', 'user', 'i')).toBe('invite import')
  expect(complete('lectern', 'user', 'import', '--dry')).toBe('--dry-run')
  expect(complete('lectern', 'backup', '--k')).toBe('--keep')
  expect(complete('lectern', 'no', 'such')).toBe('')
})

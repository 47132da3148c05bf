import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'

it('a failure that nobody handles is logged in full, and the process goes on', () => {
  const [log, rejections] = ['log', 'unhandled-rejections'].map(
    name => new URL(`${name}.ts`, import.meta.url),
  )
  const script = `import { createLog } from '${log}'
    import { logUnhandledRejections } from '${rejections}'
    const stop = logUnhandledRejections(createLog('info'))
    void Promise.reject(new Error('lost'))
    setTimeout(() => { console.log('goes on'); stop(); void Promise.reject(new Error('the last')) })`
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
  })
  const line = stderr.split('\n').find(each => each.startsWith('{'))
  expect(JSON.parse(line ?? 'null'), stderr).toMatchObject({
    level: 'error',
    err: { message: 'lost', stack: expect.stringContaining('at ') },
  })
  expect(stdout).toBe('goes on\n')
  expect(status).toBe(1)
})

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { repositoryPath, useFolders } from './support/folders.ts'
import { compile, installForNode, installForPhp, installForPython } from './support/installed-clients.ts'
import { CONSUMER } from './support/partner-consumer.ts'
import { storyOf, usePartnerStories } from './support/partner-story.ts'

const makeFolder = useFolders()
const { lectern, runStory } = usePartnerStories()

/** They use every endpoint, and accept the deliveries while a secret is replaced. */
describe('a client that is installed from the running server', () => {
  it('works for Node, compiled strictly, and contains what it needs and nothing else', async () => {
    const project = makeFolder()
    const paths = await installForNode(lectern.url, project)
    for (const path of ['README.md', 'LICENSE', 'dist/index.js', 'dist/index.d.ts', 'dist/types.d.ts'])
      expect(paths).toContain(path)
    const others = paths.filter(
      path => !/^((README|LICENSE)(\.md)?|package\.json|(dist|src)\/.+)$/.test(path),
    )
    expect(others).toEqual([])
    expect(paths.filter(path => /test|scripted|tsbuildinfo/.test(path))).toEqual([])
    writeFileSync(join(project, 'story.ts'), CONSUMER)
    await compile(project, 'story.ts')
    expect(await runStory('npm ü', process.execPath, ['story.js'], { cwd: project })).toEqual(
      storyOf('npm ü'),
    )
  })

  it('works for Python', async () => {
    const client = await installForPython(lectern.url, makeFolder())
    const story = repositoryPath('clients/python/tests/story.py')
    expect(await runStory('python ü', 'python3', [story], { client })).toEqual(storyOf('python ü'))
  })

  it('works for PHP', async () => {
    const client = await installForPhp(lectern.url, makeFolder())
    const story = repositoryPath('clients/php/tests/story.php')
    expect(await runStory('php ü', 'php', [story], { client })).toEqual(storyOf('php ü'))
  })
})

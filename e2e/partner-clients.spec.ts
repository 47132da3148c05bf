import { describe, expect, it } from 'vitest'
import { repositoryPath } from './support/folders.ts'
import { storyOf, usePartnerStories } from './support/partner-story.ts'

const { runStory } = usePartnerStories()

describe('a client against the running server', () => {
  it('Python uses every endpoint, and accepts the deliveries while a secret is replaced', async () => {
    const story = repositoryPath('clients/python/tests/story.py')
    expect(await runStory('python ü', 'python3', [story])).toEqual(storyOf('python ü'))
  })

  it('PHP uses every endpoint, and accepts the deliveries while a secret is replaced', async () => {
    const story = repositoryPath('clients/php/tests/story.php')
    expect(await runStory('php ü', 'php', [story])).toEqual(storyOf('php ü'))
  })
})

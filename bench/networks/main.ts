/** `npm run networks -w bench`: the stories that measure weak networks; `--smoke`: one of them, whatever it measures. */
import { isSmoke } from '../support/size.ts'
import { runStories } from '../support/story.ts'

const config = ['--config', 'bench/networks/vitest.config.ts']
if (isSmoke) runStories([...config, '-t', 'the address changes'], { LECTERN_AUDIO_GAP_MAX_MS: 'Infinity' })
else runStories(config)
